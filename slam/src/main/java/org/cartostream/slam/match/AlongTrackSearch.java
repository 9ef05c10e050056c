package org.cartostream.slam.match;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;

/**
 * Search along the direction of motion for a second start of the hill climb. The climb bridges
 * little more than the width of its first kernel, and slipping wheels are off by more than that
 * from one reading to the next if readings are a metre apart.
 *
 * <p>The poses tried lie a kernel's width apart, so that a climb from one of them finds any peak
 * near it. Each pose costs one evaluation.
 */
public final class AlongTrackSearch {

  /**
   * Distance from the first climb's end, in steps, within which that climb would have found any
   * better pose.
   */
  private static final double SEEN_STEPS = 0.8;

  private final ScanMatcher matcher;
  private final double step;

  /**
   * @param matcher the matcher whose climb is to be started
   * @param step metres between the poses tried: the width of the climb's first kernel
   */
  public AlongTrackSearch(ScanMatcher matcher, double step) {
    this.matcher = matcher;
    this.step = step;
  }

  /**
   * Returns the best peak of the score with the climb's first kernel, along a line through the
   * first climb's end, with that pose's heading.
   *
   * @param climbed end of the first climb, which started at the prior's mean
   * @param direction of the line, radians
   * @param reach how far from the prior's mean to look, metres to either side
   * @return empty if there is no other peak within reach
   */
  public Optional<Pose> peak(
      TiledMap map, Beams beams, Prior prior, Pose climbed, double direction, double reach) {
    int steps = (int) StrictMath.floor(reach / step);
    if (steps == 0) {
      return Optional.empty();
    }
    Pose mean = prior.mean();
    Pose line = new Pose(mean.x(), mean.y(), direction);
    Pose seen = line.to(climbed);
    double[] scores = new double[2 * steps + 1];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = matcher.scoreAt(map, beams, prior, on(line, seen, (i - steps) * step));
    }
    int best = -1;
    for (int i = 0; i < scores.length; i++) {
      boolean isNew = Math.abs((i - steps) * step - seen.x()) > SEEN_STEPS * step;
      if (isNew && isPeak(scores, i) && (best < 0 || scores[i] > scores[best])) {
        best = i;
      }
    }
    return best < 0 ? Optional.empty() : Optional.of(on(line, seen, (best - steps) * step));
  }

  /**
   * Returns the pose {@code along} metres ahead of {@code line}, with the sideways offset and the
   * heading of {@code seen}.
   */
  private static Pose on(Pose line, Pose seen, double along) {
    return line.then(new Pose(along, seen.y(), seen.theta()));
  }

  private static boolean isPeak(double[] scores, int i) {
    return (i == 0 || scores[i] >= scores[i - 1])
        && (i == scores.length - 1 || scores[i] > scores[i + 1]);
  }
}
