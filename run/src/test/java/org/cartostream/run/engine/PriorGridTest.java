package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class PriorGridTest {

  private static final ServerMap MAP =
      ServerMap.of(new OccupancyGrid(2, 2, 0.05, 0, 0, new byte[4]), Pose.ORIGIN);

  private static final PriorGrid GRID =
      new PriorGrid(Path.of("m.yaml"), MAP, Optional.of(new Pose(0.05, 0.05, 0)));

  private static ServiceSettings settings(String cellMetres) {
    RootSettings all = Settings.build(RootSettings.class, Map.of("slam.cellMetres", cellMetres));
    return all.service(all.broker());
  }

  /** A robot's launch file may say how large they are, long after the command line was checked. */
  @Test
  void aServiceOfOtherCellsIsRefusedBeforeTheRobotIsLookedForAndBeforeItGoesOn(
      @TempDir Path folder) {
    CheckpointStore store = CheckpointStore.at(folder.toString());
    ServiceSettings other = settings("0.1");

    assertThatThrownBy(() -> GRID.checkIdentity(other)).satisfies(PriorGridTest::namesTheFile);
    assertThatThrownBy(() -> GRID.resumeAs(store, "r1", 1, other))
        .satisfies(PriorGridTest::namesTheFile);
    assertThat(folder).isEmptyDirectory();
  }

  private static void namesTheFile(Throwable refused) {
    assertThat(refused)
        .isInstanceOf(ExitException.class)
        .hasMessageStartingWith("--continue m.yaml: its cells have a side of 0.05 m, and the");
  }

  @Test
  void aServiceOfTheSameCellsGoesOn(@TempDir Path folder) throws Exception {
    GRID.checkIdentity(settings("0.05"));
    GRID.resumeAs(CheckpointStore.at(folder.toString()), "r1", 1, settings("0.05"));

    assertThat(folder).isNotEmptyDirectory();
  }
}
