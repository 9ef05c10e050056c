package org.cartostream.broker.message;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.cartostream.broker.RefusedMessageException;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A map that its bytes cannot be is refused. */
@Quick
class MapMessageTest {

  @Test
  void refusesAMapOfACorrectionBeforeTheFirst() {
    assertThatThrownBy(() -> new MapMessage(false, 0, -1, 1, 1, 1, 0, 0, new byte[100]))
        .hasMessageContaining("correction -1");
  }

  @Test
  void refusesAMapThatItsBytesCannotHold() {
    assertThatThrownBy(() -> new MapMessage(true, 0, 0, 16_384, 16_384, 1, 0, 0, new byte[100]))
        .hasMessageContaining("100 bytes cannot inflate to 16384 x 16384 cells");
    assertThatThrownBy(() -> new MapMessage(true, 0, 0, 1 << 16, 1 << 16, 1, 0, 0, new byte[100]))
        .hasMessageContaining("at most 268435456");
  }

  @Test
  void refusesAMapWhoseBytesAreOfAnotherSize() {
    MapMessage map = MapMessage.ofEnd(new OccupancyGrid(4, 4, 1, 0, 0, new byte[16]));
    for (int width : new int[] {3, 5}) {
      MapMessage wrong = new MapMessage(true, 0, 0, width, 4, 1, 0, 0, map.deflated());
      assertThatThrownBy(wrong::grid).isInstanceOf(RefusedMessageException.class);
    }
  }
}
