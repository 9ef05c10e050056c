package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.run.engine.EarlierMap;
import org.cartostream.run.exit.ExitException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live robot is looked for in the picture of the office, its scans where they were taken. */
class LiveStartTest {

  private static final RootSettings SETTINGS = Settings.defaults(RootSettings.class);
  private static final double CELL = SETTINGS.slam().cellMetres();
  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  private static final int MAPPED = 150;
  private static final int FIRST = 20;

  @TempDir private Path folder;

  private final List<EarlierMap> given = new ArrayList<>();

  private static Pose beginning() {
    return OFFICE.reference().get(FIRST).pose();
  }

  /**
   * @param metres half the side of a pillar that the map has where the robot begins; 0 for none
   */
  private LiveStart live(double metres) throws IOException {
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
    EarlierMap earlier = EarlierMap.of(folder.resolve("map.yaml"));
    return new LiveStart(earlier, SETTINGS, (placed, run) -> given.add(placed));
  }

  /**
   * @param from the first reading by which it is looked for; it is followed back to the very first
   */
  private static void find(LiveStart live, int from) {
    int at = from;
    while (!live.isFoundAt(OFFICE.readings().get(at))) {
      at++;
    }
    for (; at >= FIRST; at--) {
      live.followBack(OFFICE.readings().get(at));
    }
  }

  private void assertItBeginsWhereItsFirstScanFits() {
    List<LogEntry> log = new ArrayList<>();
    for (Reading each : OFFICE.readings().subList(FIRST, MAPPED)) {
      log.add(new LogEntry.Usable(log.size() + 1, each));
    }
    assertThat(given).hasSize(1);
    assertThat(given.get(0).start(SETTINGS)).isPresent();
    assertThat(given.get(0).doubt(log.iterator(), SETTINGS)).isEmpty();
  }

  /** Until the run begins there is none, and what an older one left in its folder is that's. */
  @Test
  void looksForTheRobotFromTheFirstQuestionUntilItsRunBegins() throws IOException {
    LiveStart live = live(0);
    assertThat(live.isLooking()).isFalse();
    assertThat(live.sentence()).contains("map.yaml");
    assertThat(live.isLooking()).isTrue();

    find(live, FIRST);
    assertThat(live.isLooking()).isTrue();
    assertThat(given).isEmpty();
    live.begin(1);

    assertThat(live.isLooking()).isFalse();
    assertItBeginsWhereItsFirstScanFits();
  }

  /** The user has named no such pose, and is asked for none. */
  @Test
  void beginsBesideAWallThatTheMapHasWhereItBegan() throws IOException {
    LiveStart live = live(0.2);
    find(live, FIRST);

    live.begin(1);

    assertItBeginsWhereItsFirstScanFits();
  }

  @Test
  void saysWhereItWasFoundIfTheMapHasNoPlaceWhereItBegan() throws IOException {
    LiveStart live = live(0.65);
    find(live, FIRST + 10);

    assertThatThrownBy(() -> live.begin(1))
        .isInstanceOf(ExitException.class)
        .hasMessageStartingWith("--at anywhere: the robot was found at ")
        .hasMessageContaining("but where it began, at ")
        .hasMessageContaining(", the map has no free place; --at X,Y,YAW says");
    assertThat(live.isLooking()).isTrue();
    assertThat(given).isEmpty();
  }
}
