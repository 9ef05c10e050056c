package org.cartostream.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.broker.message.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.junit.jupiter.api.Test;

class MapAssemblerTest {

  private final MapHistory service = new MapHistory();
  private final MapAssembler held = new MapAssembler();

  private static OccupancyGrid map(int width) {
    return new OccupancyGrid(width, 1, 0.05, 0, 0, new byte[width]);
  }

  @Test
  void saysWhichVersionItHolds() {
    assertThat(held.version()).isZero();
    service.update(map(3), 5);
    assertThat(held.apply(service.since(0), 5)).isPresent();
    assertThat(held.version()).isEqualTo(5);
  }

  @Test
  void putsTilesIntoTheMapItHolds() {
    service.update(map(3), 5);
    held.apply(service.since(0), 5);
    service.update(map(4), 8);
    MapMessage tiles = service.since(held.version());
    assertThat(tiles.isWhole()).isFalse();
    assertThat(held.apply(tiles, 8).orElseThrow()).usingRecursiveComparison().isEqualTo(map(4));
  }

  /** The service does not learn of it before the next reading, and sends the same tiles again. */
  @Test
  void leavesOutTilesForAMapThatNeverCame() {
    service.update(map(3), 5);
    service.update(map(4), 8);
    MapMessage tiles = service.since(5);
    assertThat(held.apply(tiles, 8)).isEmpty();
    assertThat(held.version()).isZero();
    assertThat(held.apply(service.since(held.version()), 8)).isPresent();
  }

  @Test
  void leavesOutAMapThatIsOlderThanItsOwn() {
    service.update(map(3), 5);
    MapMessage first = service.since(0);
    service.update(map(4), 8);
    held.apply(service.since(0), 8);
    assertThat(held.apply(first, 5)).isEmpty();
    assertThat(held.version()).isEqualTo(8);
  }
}
