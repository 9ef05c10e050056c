package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live robot is looked for in the picture of the office, its scans where they were taken. */
@Quick
class LiveGlobalLocalisationTest {

  private static final RootSettings SETTINGS = Settings.defaults(RootSettings.class);
  private static final double CELL = SETTINGS.slam().cellMetres();
  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  private static final int MAPPED = 150;
  private static final int FIRST = 20;

  @TempDir private Path folder;

  private final List<PriorMap> given = new ArrayList<>();

  private static Pose beginning() {
    return OFFICE.reference().get(FIRST).pose();
  }

  /**
   * @param metres half the side of a pillar that the map has where the robot begins; 0 for none
   */
  private LiveGlobalLocalisation live(double metres) throws IOException {
    RayTracedMap map = new RayTracedMap(CELL);
    int cells = (int) Math.round(metres / CELL);
    int column = (int) Math.floor(beginning().x() / CELL);
    int row = (int) Math.floor(beginning().y() / CELL);
    for (int dx = 1 - cells; dx < cells; dx++) {
      for (int dy = 1 - cells; dy < cells; dy++) {
        map.know(column + dx, row + dy, Short.MAX_VALUE, Short.MAX_VALUE);
      }
    }
    for (int i = 0; i < MAPPED; i++) {
      map.trace(OFFICE.reference().get(i).pose(), OFFICE.readings().get(i).scan());
    }
    MapFiles.write(map.grid(), folder);
    PriorMap earlier = PriorMap.of(folder.resolve("map.yaml"));
    return new LiveGlobalLocalisation(earlier, SETTINGS, (placed, run) -> given.add(placed));
  }

  /**
   * @param from the first reading by which it is looked for
   * @return the first reading at which the map has a place, to which it is followed back
   */
  private static int find(LiveGlobalLocalisation live, int from) {
    int at = from;
    while (!live.isFoundAt(OFFICE.readings().get(at))) {
      at++;
    }
    while (at >= FIRST && live.followBack(OFFICE.readings().get(at))) {
      at--;
    }
    return at + 1;
  }

  private void assertItBeginsWhereTheScanFits(int first) {
    List<LogEntry> log = new ArrayList<>();
    for (Reading each : OFFICE.readings().subList(first, MAPPED)) {
      log.add(new LogEntry.Usable(log.size() + 1, each));
    }
    assertThat(given).hasSize(1);
    assertThat(given.get(0).start(SETTINGS)).isPresent();
    assertThat(given.get(0).doubt(log.iterator(), SETTINGS)).isEmpty();
  }

  /** Until the run begins there is none, and what an older one left in its folder is that's. */
  @Test
  void looksForTheRobotFromTheFirstQuestionUntilItsRunBegins() throws IOException {
    LiveGlobalLocalisation live = live(0);
    assertThat(live.isLooking()).isFalse();
    assertThat(live.sentence()).contains("map.yaml");
    assertThat(live.isLooking()).isTrue();

    assertThat(find(live, FIRST)).isEqualTo(FIRST);
    assertThat(live.isLooking()).isTrue();
    assertThat(given).isEmpty();
    live.begin(1);

    assertThat(live.isLooking()).isFalse();
    assertItBeginsWhereTheScanFits(FIRST);
  }

  /** The user has named no such pose, and is asked for none. */
  @Test
  void beginsBesideAWallThatTheMapHasWhereItBegan() throws IOException {
    LiveGlobalLocalisation live = live(0.2);
    assertThat(find(live, FIRST)).isEqualTo(FIRST);

    live.begin(1);

    assertItBeginsWhereTheScanFits(FIRST);
  }

  /** It was driven into the map from where that has no place, and its run begins behind that. */
  @Test
  void beginsWhereTheMapHasAPlaceIfItHasNoneWhereItBegan() throws IOException {
    LiveGlobalLocalisation live = live(0.65);
    int first = find(live, FIRST + 10);
    assertThat(first).isBetween(FIRST + 1, FIRST + 10);

    live.begin(1);

    assertItBeginsWhereTheScanFits(first);
    assertThat(live.isLooking()).isFalse();
  }
}
