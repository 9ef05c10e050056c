package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/** How sure poses are said to be, and are; {@link MappedCovarianceAccuracyTest} has many drives. */
@Default(computes = true)
class PoseCovarianceTest {

  private static final long SEED = 63;

  /** Walls alongside tell nothing of how far the robot went. */
  @Test
  void inACorridorAPoseIsLessSureAlongIt() {
    Recording drive = CovarianceWorld.CORRIDORS.drive(SEED);
    FilterSettings settings = Settings.build(FilterSettings.class, Map.of("particles", "30"));
    SerialFilter filter = new SerialFilter(settings, "robot");
    for (int i = 0; i < 40; i++) {
      filter.process(i + 1, drive.readings().get(i));
    }
    SymmetricMatrix3 covariance = filter.trajectoryTree().robotPose().covariance();
    assertThat(covariance.xx()).as("seed %d", SEED).isGreaterThan(2 * covariance.yy());
  }

  @Test
  void theTruthIsMostlyInTheEllipse() {
    CovarianceWorld hall = CovarianceWorld.HALL;
    Consistency mapped = new Consistency();
    CovarianceDrive.map(hall, SEED, mapped, mapped);
    System.out.println(mapped.row("mapped"));
    assertThat(mapped.share()).as("seed %d", SEED).isGreaterThan(0.7);
    Consistency localised = new Consistency();
    CovarianceDrive.localise(hall, SEED, CovarianceDrive.known(hall), localised);
    System.out.println(localised.row("localised"));
    assertThat(localised.share()).as("seed %d", SEED).isGreaterThan(0.7);
  }
}
