package org.cartostream.web.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;

/**
 * State of a run at one moment; immutable.
 *
 * @param map newest map; null if there is none yet
 * @param loops loop edges by which poses are corrected
 */
record RunSnapshot(
    Run run,
    ObservedRun.Counts counts,
    Map<String, ObservedRun.Refusals> refusals,
    Latest latest,
    OccupancyGrid map,
    List<ClosedLoop> loops,
    Lists lists) {

  /**
   * Items of each list that a reader has.
   *
   * @param path poses of the path
   * @param readings readings in the diagrams
   */
  record Seen(Decimator.Seen path, Decimator.Seen readings, Decimator.Seen corrections) {
    static final Seen NOTHING =
        new Seen(Decimator.Seen.NOTHING, Decimator.Seen.NOTHING, Decimator.Seen.NOTHING);
  }

  /**
   * Identity and phase of a run.
   *
   * @param failure reason why the run was given up; empty if it was not given up
   * @param trouble trouble of the link to the service; empty if the link is well
   */
  record Run(String robot, ObservedRun.Phase phase, String failure, String trouble) {}

  /**
   * Figures of the newest reading that was processed.
   *
   * @param millis time that the service took for the reading
   * @param pose pose in the frame of the map as it is shown; null if there is none
   * @param reading the reading; null if there is none
   * @param correction number of the newest correction
   * @param particles some of the particles, in the {@code map} frame
   * @param particlesAgeSeconds time from the arrival of the particles to the newest outcome
   */
  record Latest(
      double effectiveSampleSize,
      double millis,
      Pose pose,
      Reading reading,
      int correction,
      ParticlesMessage particles,
      double particlesAgeSeconds) {}

  /**
   * Items of each list that a reader lacks.
   *
   * @param path rows of x and y, metres
   * @param readings rows of reading number, Neff and milliseconds
   * @param corrections rows of the robot's x and y, and the distance by which the correction moved
   *     it; metres
   */
  record Lists(Decimator.Missing path, Decimator.Missing readings, Decimator.Missing corrections) {

    Seen seen() {
      return new Seen(path.seen(), readings.seen(), corrections.seen());
    }
  }

  /** Returns the two ends of each loop edge: x and y, x and y; metres. */
  List<Double> loopEnds() {
    return loops.stream()
        .flatMap(each -> Stream.of(each.first().pose(), each.again().pose()))
        .flatMap(RunSnapshot::place)
        .toList();
  }

  /** Returns the snapshot as an object of JSON, without map and loops. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("robot", run.robot);
    json.put("phase", run.phase.name().toLowerCase(Locale.ROOT));
    json.put("failure", run.failure);
    json.put("trouble", run.trouble);
    json.put("counts", counts);
    json.put("refusals", refusals);
    json.put("neff", rounded(latest.effectiveSampleSize));
    json.put("millis", rounded(latest.millis));
    json.put("correction", latest.correction);
    if (latest.pose != null) {
      Pose pose = latest.pose;
      json.put("pose", List.of(rounded(pose.x()), rounded(pose.y()), rounded(pose.theta())));
    }
    if (latest.reading != null) {
      json.put("stampSeconds", rounded(latest.reading.stampNanos() / 1e9));
      json.put("scanCentimetres", ScanPoints.centimetres(latest.reading.scan()));
    }
    json.put("particles", latest.particles.poses().stream().flatMap(RunSnapshot::place).toList());
    json.put("particleTasks", latest.particles.tasks());
    json.put("particlesAgeSeconds", rounded(latest.particlesAgeSeconds));
    json.put("path", rows(lists.path));
    json.put("readings", rows(lists.readings));
    json.put("corrections", rows(lists.corrections));
    return json;
  }

  private static Stream<Double> place(Pose pose) {
    return Stream.of(rounded(pose.x()), rounded(pose.y()));
  }

  private static Map<String, Object> rows(Decimator.Missing missing) {
    List<Double> numbers = new ArrayList<>();
    for (double[] row : missing.rows()) {
      for (double number : row) {
        numbers.add(rounded(number));
      }
    }
    return Map.of("keep", missing.from(), "numbers", numbers);
  }

  /** Returns a number rounded to thousandths: nobody sees less than a millimetre. */
  private static double rounded(double number) {
    return Math.rint(number * 1000) / 1000;
  }
}
