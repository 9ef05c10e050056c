package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class BlockOutputTest {

  @Test
  void keepsWhatWasWrittenInItsOrder() {
    BlockOutput out = new BlockOutput(10);
    byte[] buffer = {1, 2, 3, 4};
    out.write(buffer, 1, 2);
    buffer[1] = 9;
    out.write(7);
    assertThat(out.blocks())
        .containsExactly(ByteBuffer.wrap(new byte[] {2, 3}), ByteBuffer.wrap(new byte[] {7}));
  }

  @Test
  void refusesWhatNoArrayHoldsWhenItIsRead() {
    BlockOutput out = new BlockOutput(3 << 20);
    byte[] megabyte = new byte[1 << 20];
    for (int i = 0; i < 3; i++) {
      out.write(megabyte, 0, megabyte.length);
    }
    assertThatThrownBy(() -> out.write(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a state of more than 3 MB cannot be kept; fewer particles, more tasks or coarser cells"
                + " make it smaller");
  }
}
