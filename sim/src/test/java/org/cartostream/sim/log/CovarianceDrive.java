package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/** Drives of a simulated robot whose poses are compared with the truth, each {@link #APART}. */
final class CovarianceDrive {

  /** Metres of driving. */
  private static final double APART = 5;

  /** Seed of the drive that a map is drawn from, at the true poses. */
  private static final long MAP_SEED = 1;

  /** Where the world lies in that map: no walls lie along its cells. */
  private static final Pose IN_MAP = new Pose(0.013, 0.021, 0.4);

  private CovarianceDrive() {}

  private static FilterSettings filter(long seed) {
    return Settings.build(FilterSettings.class, Map.of("particles", "30", "seed", "" + seed));
  }

  /**
   * Maps a world. Errors are those in a frame in which the first pose is the true one.
   *
   * @param open takes the poses before the first correction
   * @param closed takes those after it
   */
  static void map(CovarianceWorld world, long seed, Consistency open, Consistency closed) {
    Recording drive = world.drive(seed);
    SerialFilter filter = new SerialFilter(filter(seed), "robot");
    RobotPose[] latest = new RobotPose[1];
    Pose start = drive.reference().get(0).pose();
    along(
        drive,
        reading -> {
          SerialFilter.Result result = filter.process(reading + 1, drive.readings().get(reading));
          latest[0] = ((SerialFilter.Result.Processed) result).pose();
          requirePositiveDefinite(latest[0].covariance());
        },
        reading -> {
          Pose first = filter.trajectoryTree().firstPose();
          Pose truth = start.to(drive.reference().get(reading).pose());
          Consistency figures = latest[0].correction().number() == 0 ? open : closed;
          figures.add(
              error(first.to(latest[0].inMap()), truth),
              latest[0].covariance().turned(-first.theta()));
        });
  }

  /** Drives through a world whose map is known, from where it is known to begin. */
  static void localise(CovarianceWorld world, long seed, ServerMap map, Consistency figures) {
    Recording drive = world.drive(seed);
    MonteCarloLocalisation filter =
        new MonteCarloLocalisation(
            Settings.defaults(LocalisationSettings.class),
            filter(seed),
            "robot",
            map,
            Optional.of(IN_MAP.then(drive.reference().get(0).pose())));
    RobotPose[] latest = new RobotPose[1];
    along(
        drive,
        reading -> {
          MonteCarloLocalisation.Result result =
              filter.process(reading + 1, drive.readings().get(reading));
          latest[0] = ((MonteCarloLocalisation.Result.Localised) result).pose();
          requirePositiveDefinite(latest[0].covariance());
        },
        reading ->
            figures.add(
                error(latest[0].inMap(), IN_MAP.then(drive.reference().get(reading).pose())),
                latest[0].covariance()));
  }

  /** The map of a world, as a robot that knows where it is draws it. */
  static ServerMap known(CovarianceWorld world) {
    Recording drive = world.drive(MAP_SEED);
    RayTracedMap map = new RayTracedMap(filter(0).cellMetres());
    for (int i = 0; i < drive.readings().size(); i++) {
      map.trace(IN_MAP.then(drive.reference().get(i).pose()), drive.readings().get(i).scan());
    }
    return ServerMap.of(map.grid(), new Pose(map.grid().originX(), map.grid().originY(), 0));
  }

  private static void along(Recording drive, IntConsumer each, IntConsumer apart) {
    double way = 0;
    double compared = 0;
    for (int i = 0; i < drive.readings().size(); i++) {
      each.accept(i);
      Pose at = drive.reference().get(i).pose();
      way += i == 0 ? 0 : drive.reference().get(i - 1).pose().distance(at);
      if (way >= compared + APART) {
        compared = way;
        apart.accept(i);
      }
    }
  }

  private static Pose error(Pose estimate, Pose truth) {
    return new Pose(
        estimate.x() - truth.x(),
        estimate.y() - truth.y(),
        Pose.wrap(estimate.theta() - truth.theta()));
  }

  private static void requirePositiveDefinite(SymmetricMatrix3 covariance) {
    covariance.cholesky(); // Throws if it is not, or has a NaN.
    assertThat(covariance.determinant()).isFinite();
  }
}
