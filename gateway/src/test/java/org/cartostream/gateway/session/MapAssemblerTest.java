package org.cartostream.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class MapAssemblerTest {

  private final MapHistory service = new MapHistory();
  private final MapAssembler held = new MapAssembler(Optional.empty());

  private static OccupancyGrid map(int width) {
    return new OccupancyGrid(width, 1, 0.05, 0, 0, new byte[width]);
  }

  @Test
  void saysWhichVersionItHolds() {
    assertThat(held.version()).isZero();
    service.update(map(3), 5, 0);
    assertThat(apply(service.since(0), 5)).isPresent();
    assertThat(held.version()).isEqualTo(5);
  }

  @Test
  void putsTilesIntoTheMapItHolds() {
    service.update(map(3), 5, 0);
    apply(service.since(0), 5);
    service.update(map(4), 8, 0);
    MapMessage tiles = service.since(held.version());
    assertThat(tiles.isWhole()).isFalse();
    assertThat(apply(tiles, 8).orElseThrow()).usingRecursiveComparison().isEqualTo(map(4));
  }

  /** The service does not learn of it before the next reading, and sends the same tiles again. */
  @Test
  void leavesOutTilesForAMapThatNeverCame() {
    service.update(map(3), 5, 0);
    service.update(map(4), 8, 0);
    MapMessage tiles = service.since(5);
    assertThat(apply(tiles, 8)).isEmpty();
    assertThat(held.version()).isZero();
    assertThat(apply(service.since(held.version()), 8)).isPresent();
  }

  @Test
  void leavesOutAMapThatIsOlderThanItsOwn() {
    service.update(map(3), 5, 0);
    MapMessage first = service.since(0);
    service.update(map(4), 8, 0);
    apply(service.since(0), 8);
    assertThat(apply(first, 5)).isEmpty();
    assertThat(held.version()).isEqualTo(8);
  }

  private Optional<OccupancyGrid> apply(MapMessage map, long version) {
    return held.apply(new Envelope("one", 1, version, 1, map));
  }

  @Test
  void keepsItsMapForAnotherProcess(@TempDir Path folder) throws IOException {
    Optional<Path> file = Optional.of(folder.resolve("map.state"));
    service.update(map(3), 5, 2);
    MapAssembler dead = new MapAssembler(file);
    dead.apply(new Envelope("one", 7, 5, 50, service.since(0)));
    MapAssembler next = new MapAssembler(file);
    assertThat(next.load(8)).as("another run's").isEmpty();
    Envelope kept = next.load(7).orElseThrow();
    assertThat(kept.stampNanos()).isEqualTo(50);
    assertThat(((MapMessage) kept.body()).correction()).isEqualTo(2);
    assertThat(next.version()).isEqualTo(5);
    service.update(map(4), 8, 0);
    assertThat(next.apply(new Envelope("one", 7, 8, 80, service.since(5))).orElseThrow())
        .usingRecursiveComparison()
        .isEqualTo(map(4));
    Files.write(file.get(), new byte[] {1, 2, 3});
    assertThat(new MapAssembler(file).load(7)).as("damaged").isEmpty();
    Files.delete(file.get());
    Files.createSymbolicLink(file.get(), Path.of("/dev/zero"));
    assertThat(new MapAssembler(file).load(7)).as("a device").isEmpty();
  }
}
