package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.ScanTileCache;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.settings.MatcherSettings;

/**
 * Scan matcher that fits a scan to a particle's map by the hill climb of Kamburugamuve et al. (SLAM
 * on Storm, algorithm 4), which is GMapping's:
 *
 * <ol>
 *   <li>score the pose and its six neighbours, one step away along x, y and heading;
 *   <li>while a neighbour is better, go to the best of them;
 *   <li>halve the steps, and repeat for each refinement, or until the evaluations are used up.
 * </ol>
 *
 * <p>Three things differ from GMapping. What is climbed is not the scan's score alone, but its sum
 * with the log density of the pose by odometry: where a scan says little, as along a corridor, the
 * climb does not wander. The kernel that scores a beam gets narrower with the step, from one that
 * finds a wall from afar to one that is not dragged towards it. And the score is a look-up in the
 * map ({@link ScanTileCache}), not a search.
 *
 * <p>Owns nothing but scratch space: one per thread.
 */
public final class ScanMatcher {

  private static final int NOWHERE = -1;

  private final MatcherSettings settings;
  private final double unitsPerMetre;

  /** Score kernels by refinement: the peak to be climbed gets narrower with the step. */
  private final int[][] scoreKernels;

  private final int[] likelihoodKernel;

  /** Gain in log likelihood of a beam that ends at a hit over one that ends nowhere: -ln z_rand. */
  private final double hitGain;

  private RotatedBeams here = new RotatedBeams();
  private RotatedBeams left = new RotatedBeams();
  private RotatedBeams right = new RotatedBeams();
  private final ScanTileCache scanTileCache = new ScanTileCache();
  private final EvaluatedPoses tried = new EvaluatedPoses();

  // The climb's state: its inputs, its present pose in map units and radians, and its results.
  private Beams beams;
  private int[] scoreKernel;
  private Prior prior;
  private int x;
  private int y;
  private double theta;
  private double score;
  private int evaluations;

  /** Number of neighbours skipped as known. They count towards the cutoff as if evaluated. */
  private int known;

  public ScanMatcher(MatcherSettings settings, double cellMetres) {
    this.settings = settings;
    this.unitsPerMetre = TiledMap.UNITS / cellMetres;
    this.scoreKernels = new int[settings.refinements() + 1][];
    double width = settings.kernelMetres();
    double finest = Math.min(width, settings.minKernelMetres());
    for (int refinement = 0; refinement < scoreKernels.length; refinement++) {
      boolean isFinest = refinement > 0 && 2 * width <= finest;
      scoreKernels[refinement] =
          isFinest
              ? scoreKernels[refinement - 1]
              : Kernel.gaussian(Math.max(width, finest), cellMetres);
      width /= 2;
    }
    this.hitGain = -StrictMath.log(settings.zRand());
    this.likelihoodKernel =
        Kernel.logLikelihood(settings.sigmaHitMetres(), settings.zRand(), cellMetres);
  }

  /**
   * Climbs from where the prior expects the robot to the best pose nearby.
   *
   * @param prior Gaussian prior of the pose, without the scan
   */
  public Match match(TiledMap map, Beams beams, Prior prior) {
    return match(map, beams, prior, prior.mean());
  }

  /** Climbs from {@code start} instead of the prior's mean. */
  public Match match(TiledMap map, Beams beams, Prior prior, Pose start) {
    score = scoreAt(map, beams, prior, start);
    evaluations = 1;
    climb(map);
    if (this.beams != beams) {
      this.beams = beams;
      here.turn(beams, theta);
      scanTileCache.locate(map, here.x, here.y, here.count, x, y, 0);
    }
    SymmetricMatrix3 curvature = curvature().withoutNegativeCurvature();
    Pose pose = new Pose(x / unitsPerMetre, y / unitsPerMetre, Pose.wrap(theta));
    return new Match(pose, curvature, evaluations);
  }

  /**
   * Climbs from where the prior expects the robot, or from {@code other} if scan and prior together
   * are more likely there. This costs two more evaluations.
   */
  public Match matchFromEither(TiledMap map, Beams beams, Prior prior, Pose other) {
    boolean isBetter = scoreAt(map, beams, prior, other) > scoreAt(map, beams, prior, prior.mean());
    Match match = match(map, beams, prior, isBetter ? other : prior.mean());
    return new Match(match.pose(), match.curvature(), match.evaluations() + 2);
  }

  /**
   * Sets the climb's pose to {@code start}, and scores it.
   *
   * @return the score at {@code start}; the higher, the better scan and prior fit
   */
  double scoreAt(TiledMap map, Beams beams, Prior prior, Pose start) {
    this.prior = prior;
    this.beams = beams;
    this.scoreKernel = scoreKernels[0];
    x = units(start.x());
    y = units(start.y());
    theta = start.theta();
    here.turn(beams, theta);
    scanTileCache.locate(map, here.x, here.y, here.count, x, y, 0);
    return score(here, theta, 0, 0);
  }

  private void climb(TiledMap map) {
    double stepRadians = settings.stepRadians();
    double stepUnits = settings.stepMetres() * unitsPerMetre;
    tried.clear();
    tried.add(x, y, theta);
    known = 0;
    int cameFrom = NOWHERE;
    for (int refinement = 0; refinement <= settings.refinements(); ) {
      if (evaluations + known >= settings.maxEvaluations()) {
        return;
      }
      int move = bestMove((int) StrictMath.rint(stepUnits), stepRadians, cameFrom);
      if (move == NOWHERE) {
        refinement++;
        stepUnits /= 2;
        stepRadians /= 2;
        cameFrom = NOWHERE;
        if (refinement <= settings.refinements()) {
          refine(map, refinement);
        }
      } else {
        go(move, (int) StrictMath.rint(stepUnits), stepRadians);
        cameFrom = move ^ 1;
      }
    }
  }

  /**
   * Begins a refinement: sets its kernel, drops the beams of a narrow view that see something new,
   * and scores the present pose anew.
   */
  private void refine(TiledMap map, int refinement) {
    boolean narrower = scoreKernels[refinement] != scoreKernel;
    scoreKernel = scoreKernels[refinement];
    if (refinement == 1 && beams.view() < KnownBeamSelector.NARROW) {
      beams = KnownBeamSelector.of(map, beams, here, x, y, unitsPerMetre);
      here.turn(beams, theta);
      scanTileCache.locate(map, here.x, here.y, here.count, x, y, 0);
      narrower = true;
    }
    if (narrower) {
      tried.clear();
      tried.add(x, y, theta);
      score = score(here, theta, 0, 0);
      evaluations++;
    }
  }

  /**
   * Returns the move to the best neighbour, or {@link #NOWHERE} if none is better than the present
   * pose. The neighbour that the climb has just left is known to be worse.
   */
  private int bestMove(int step, double turn, int cameFrom) {
    int best = NOWHERE;
    for (int move = 0; move < 6; move++) {
      if (move == cameFrom) {
        continue;
      }
      int dx = move == 0 ? step : move == 1 ? -step : 0;
      int dy = move == 2 ? step : move == 3 ? -step : 0;
      double heading = move == 4 ? theta + turn : move == 5 ? theta - turn : theta;
      if (!tried.add(x + dx, y + dy, heading)) {
        known++;
        continue;
      }
      RotatedBeams turned = move == 4 ? left : move == 5 ? right : here;
      turned.turn(beams, heading);
      double there = score(turned, heading, dx, dy);
      evaluations++;
      if (there > score) {
        score = there;
        best = move;
      }
    }
    return best;
  }

  /**
   * Returns the score that the climb maximises: the beams that end near hits, weighted by the
   * kernel, plus the prior's log density.
   */
  private double score(RotatedBeams rotatedBeams, double heading, int dx, int dy) {
    double fit = beams.evidence() * hitGain / Kernel.ONE * sum(scoreKernel, rotatedBeams, dx, dy);
    return fit + prior.log((x + dx) / unitsPerMetre, (y + dy) / unitsPerMetre, heading);
  }

  private void go(int move, int step, double turn) {
    RotatedBeams before = here;
    switch (move) {
      case 0 -> x += step;
      case 1 -> x -= step;
      case 2 -> y += step;
      case 3 -> y -= step;
      case 4 -> {
        theta += turn;
        here = left;
        left = before;
      }
      default -> {
        theta -= turn;
        here = right;
        right = before;
      }
    }
  }

  /**
   * Returns minus the Hessian of the log likelihood at the present pose, by central differences.
   * Mixed derivatives use all four corners: with two, a mirrored scan would have another curvature,
   * and along straight walls each step would turn the robot a little to the same side.
   */
  private SymmetricMatrix3 curvature() {
    // In cells of a metre the shortest step that can be set is less than a map unit.
    int step = Math.max(1, units(settings.curvatureMetres()));
    double metres = step / unitsPerMetre;
    double radians = settings.curvatureRadians();
    left.turn(beams, theta + radians);
    right.turn(beams, theta - radians);
    double top = log(here, 0, 0);
    double xx = 2 * top - log(here, step, 0) - log(here, -step, 0);
    double yy = 2 * top - log(here, 0, step) - log(here, 0, -step);
    double tt = 2 * top - log(left, 0, 0) - log(right, 0, 0);
    // f(h, k) + f(-h, -k) - f(h, -k) - f(-h, k) = 4 h k f_xy
    double xy =
        log(here, step, -step)
            + log(here, -step, step)
            - log(here, step, step)
            - log(here, -step, -step);
    double xt =
        log(left, -step, 0) + log(right, step, 0) - log(left, step, 0) - log(right, -step, 0);
    double yt =
        log(left, 0, -step) + log(right, 0, step) - log(left, 0, step) - log(right, 0, -step);
    return new SymmetricMatrix3(
        xx / (metres * metres),
        xy / (4 * metres * metres),
        xt / (4 * metres * radians),
        yy / (metres * metres),
        yt / (4 * metres * radians),
        tt / (radians * radians));
  }

  private double log(RotatedBeams rotatedBeams, int dx, int dy) {
    evaluations++;
    return beams.evidence() * sum(likelihoodKernel, rotatedBeams, dx, dy) / Kernel.ONE;
  }

  private long sum(int[] kernel, RotatedBeams rotatedBeams, int dx, int dy) {
    return scanTileCache.sum(
        kernel, rotatedBeams.x, rotatedBeams.y, rotatedBeams.count, x + dx, y + dy);
  }

  /**
   * Returns the scan's log likelihood at {@code pose}, summed over its beams, each weighted by its
   * evidence.
   */
  public double logLikelihood(TiledMap map, Beams beams, Pose pose) {
    int atX = units(pose.x());
    int atY = units(pose.y());
    here.turn(beams, pose.theta());
    scanTileCache.locate(map, here.x, here.y, here.count, atX, atY, 0);
    long sum = scanTileCache.sum(likelihoodKernel, here.x, here.y, here.count, atX, atY);
    return beams.evidence() * sum / Kernel.ONE;
  }

  /** Enters the scan's hits, taken at {@code pose}, into the map. */
  public void updateMap(TiledMap map, Beams beams, Pose pose) {
    here.turn(beams, pose.theta());
    map.hit(here.x, here.y, here.count, units(pose.x()), units(pose.y()));
  }

  private int units(double metres) {
    return (int) StrictMath.floor(metres * unitsPerMetre + 0.5);
  }
}
