package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.broker.MapHistory;
import org.cartostream.broker.MapMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.junit.jupiter.api.Test;

class HeldMapTest {

  private final MapHistory service = new MapHistory();
  private final HeldMap held = new HeldMap();

  private static OccupancyGrid map(int width) {
    return new OccupancyGrid(width, 1, 0.05, 0, 0, new byte[width]);
  }

  @Test
  void saysWhichVersionItHolds() {
    assertThat(held.version()).isZero();
    service.take(map(3), 5);
    assertThat(held.take(service.since(0), 5)).isPresent();
    assertThat(held.version()).isEqualTo(5);
  }

  @Test
  void putsTilesIntoTheMapItHolds() {
    service.take(map(3), 5);
    held.take(service.since(0), 5);
    service.take(map(4), 8);
    MapMessage tiles = service.since(held.version());
    assertThat(tiles.isWhole()).isFalse();
    assertThat(held.take(tiles, 8).orElseThrow()).usingRecursiveComparison().isEqualTo(map(4));
  }

  /** The service does not learn of it before the next reading, and sends the same tiles again. */
  @Test
  void leavesOutTilesForAMapThatNeverCame() {
    service.take(map(3), 5);
    service.take(map(4), 8);
    MapMessage tiles = service.since(5);
    assertThat(held.take(tiles, 8)).isEmpty();
    assertThat(held.version()).isZero();
    assertThat(held.take(service.since(held.version()), 8)).isPresent();
  }

  @Test
  void leavesOutAMapThatIsOlderThanItsOwn() {
    service.take(map(3), 5);
    MapMessage first = service.since(0);
    service.take(map(4), 8);
    held.take(service.since(0), 8);
    assertThat(held.take(first, 5)).isEmpty();
    assertThat(held.version()).isEqualTo(8);
  }
}
