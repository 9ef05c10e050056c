package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;

/** The simulator's office, of which a robot mapped the beginning of its drive another day. */
final class MappedOffice {

  static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  /** So many of its readings were mapped. */
  static final int EARLIER = 150;

  static final String ROBOT = "tb3";
  static final int PARTICLES = 20;

  private MappedOffice() {}

  /**
   * Maps it by one thread.
   *
   * @param folder also for the log, {@code office.clf}
   * @return the folder of {@code run.state} and {@code map.yaml}
   */
  static Path mapped(Path folder) throws IOException {
    OFFICE.write(folder, "office");
    Path mapped = folder.resolve("mapped");
    Cartostream run =
        Cartostream.run(
            "replay",
            folder.resolve("office.clf"),
            "--engine",
            "serial",
            "--robot",
            ROBOT,
            "--limit",
            EARLIER,
            "--particles",
            PARTICLES,
            "--out",
            mapped);
    assertThat(run.exitCode()).isZero();
    return mapped;
  }

  /** Where the robot truly was, in the map's frame, which begins where its first reading was. */
  static Pose truth(int reading) {
    return OFFICE.reference().get(0).pose().to(OFFICE.reference().get(reading).pose());
  }
}
