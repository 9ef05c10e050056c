package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.GrowingPoseGraph;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Default;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;

@Default(computes = true)
class RecordedPathAccuracyTest {

  private static final FilterSettings SETTINGS =
      Settings.build(FilterSettings.class, Map.of("particles", "5"));

  private static List<Reading> aces() throws IOException {
    try (LaserLog log =
        CarmenLog.open(TestFiles.publicLog("aces.clf"), CarmenSettings.defaults())) {
      return log.readings(Integer.MAX_VALUE);
    }
  }

  /**
   * One in which the robot turns too far with each metre, but for its last reading: no key frame.
   */
  private static RecordedPath bent(List<Reading> readings, List<StampedPose> reference) {
    List<PathPose> path = new ArrayList<>();
    List<PathScan> scans = new ArrayList<>();
    Pose pose = Pose.ORIGIN;
    for (int i = 0; i < readings.size(); i++) {
      if (i > 0) {
        Pose motion = reference.get(i - 1).pose().to(reference.get(i).pose());
        double turn = 0.0006 * Pose.ORIGIN.distance(motion);
        pose = pose.then(new Pose(motion.x(), motion.y(), motion.theta() + turn));
      }
      scans.add(new PathScan(path.size(), 0, readings.get(i).scan()));
      path.add(new PathPose(2 * i + 1, readings.get(i).stampNanos(), pose));
    }
    Pose later = pose.then(new Pose(0.01, 0, 0));
    path.add(new PathPose(path.size() * 2L + 1, path.get(path.size() - 1).stampNanos(), later));
    return new RecordedPath(
        SETTINGS, StartingMap.NONE, path, scans, new GrowingPoseGraph(SETTINGS)::solution);
  }

  private static double error(List<PathPose> path, List<StampedPose> reference)
      throws EvaluationException {
    List<StampedPose> stamped =
        path.subList(0, path.size() - 1).stream()
            .map(each -> new StampedPose(each.stampNanos(), each.pose()))
            .toList();
    return TrajectoryError.of(stamped, reference).rmseMetres();
  }

  @Test
  void aBuildingThatWasBentIsStraight() throws IOException, EvaluationException {
    List<StampedPose> reference = TumFile.read(TestFiles.publicLog("aces.reference.tum"));
    RecordedPath bent = bent(aces(), reference);

    RecordedPath closed = bent.withLoopsClosed();

    assertThat(error(bent.path(), reference)).isGreaterThan(1);
    assertThat(error(closed.path(), reference)).isLessThan(0.3);
    assertThat(closed.path()).extracting(PathPose::sequence).isEqualTo(sequences(bent));
    PathPose beforeLast = closed.path().get(closed.path().size() - 2);
    PathPose last = closed.path().get(closed.path().size() - 1);
    assertThat(beforeLast.pose().to(last.pose()).x()).isCloseTo(0.01, within(1e-9));
    double furthest = 0;
    for (int i = 0; i < bent.path().size(); i++) {
      Pose before = bent.path().get(i).pose();
      furthest = Math.max(furthest, before.distance(closed.path().get(i).pose()));
    }
    assertThat(closed.loopsClosed().movedMetres()).isEqualTo(furthest).isGreaterThan(1);
    assertThat(closed.loopsClosed().loops()).isGreaterThan(20);
    assertThat(bent.loopsClosed()).isEqualTo(LoopClosureReport.NONE);
    // Walls that were seen twice are one again.
    assertThat(occupied(closed)).isLessThan(occupied(bent));
  }

  private static List<Long> sequences(RecordedPath recordedPath) {
    return recordedPath.path().stream().map(PathPose::sequence).toList();
  }

  private static int occupied(RecordedPath recordedPath) {
    int occupied = 0;
    for (byte cell : recordedPath.map().grid().cells()) {
      occupied += cell == 100 ? 1 : 0;
    }
    return occupied;
  }
}
