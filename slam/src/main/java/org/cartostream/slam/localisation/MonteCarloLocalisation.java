package org.cartostream.slam.localisation;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.Symmetric3;
import org.cartostream.slam.localisation.LikelihoodField.ScanEnds;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Finds a robot in a map that is there, and follows it: Monte Carlo localisation in one thread. A
 * reading goes this way:
 *
 * <ol>
 *   <li>the {@link ReadingFilter} decides, as it does for mapping, whether it can be used, and what
 *       motion led to it;
 *   <li>the {@link ParticleCloud} is moved, and after a fifth of a metre weighed;
 *   <li>the heaviest {@link ParticleCluster} is where the robot is taken to be; from its mean the
 *       {@link ScanMatcher} climbs to where the scan fits the map's walls best;
 *   <li>what the scan and the particles tell of that pose is its {@link LocalisationQuality}.
 * </ol>
 *
 * <p>Owns the particles. The map is never written to.
 */
public final class MonteCarloLocalisation {

  /** What became of a reading. */
  public sealed interface Result {
    /**
     * It was used.
     *
     * @param pose of the base in the {@code map} frame
     * @param resampling the latest decision; of it, effective sample size and entropy
     * @param searched true if odometry was doubted, so that a wide search was needed
     */
    record Localised(
        Pose pose, LocalisationQuality quality, Resampling resampling, boolean searched)
        implements Result {}

    /** It was not. */
    record Refused(Refusal.Reason why) implements Result {}
  }

  /** Neighbours see the same wall: more beams tell next to nothing, and cost as much each. */
  private static final int MOST_BEAMS = 180;

  /** So well a pose is known at best before the scan is matched: a cell, and what it looks like. */
  private static final double LEAST_RADIANS = 0.02;

  private static final double UNAMBIGUOUS_SHARE = 0.9;

  private final LocalisationSettings settings;
  private final FilterSettings filterSettings;
  private final double unitsPerMetre;
  private final KnownMap map;
  private final Optional<Pose> start;
  private final ReadingFilter readingFilter;
  private final ScanMatcher matcher;
  private final ParticleCloud cloud;
  private OdometryStatistics odometry = OdometryStatistics.NONE;
  private long evaluations;

  /** In the grid's frame; null before the first reading. */
  private Pose pose;

  /** As of the latest key frame. */
  private LocalisationQuality quality;

  private double fitAverage;

  private ParticleCluster cluster;
  private double drivenMetres;

  /** Since the particles were weighed last. */
  private double metres;

  private double radians;

  /**
   * @param filterSettings of which the reading filter, the motion model and the matcher take part,
   *     and the seed
   * @param start where the robot is at first, in the {@code map} frame; empty if nobody knows
   * @throws IllegalArgumentException if the robot cannot be there
   */
  public MonteCarloLocalisation(
      LocalisationSettings settings,
      FilterSettings filterSettings,
      String robot,
      ServerMap serverMap,
      Optional<Pose> start) {
    start.ifPresent(pose -> checkStart(serverMap, pose));
    double cellMetres = Math.max(filterSettings.cellMetres(), serverMap.grid().resolution());
    this.settings = settings;
    // Of a coarse map the cells are the map's, for all that measures in them.
    this.filterSettings =
        cellMetres > filterSettings.cellMetres()
            ? Settings.with(filterSettings, Map.of("cellMetres", Double.toString(cellMetres)))
            : filterSettings;
    this.unitsPerMetre = TiledMap.UNITS / cellMetres;
    this.map = new KnownMap(serverMap, settings, unitsPerMetre);
    this.start = start.map(map::inGrid);
    this.readingFilter = new ReadingFilter(filterSettings);
    this.matcher = new ScanMatcher(filterSettings.matcher(), cellMetres);
    this.cloud = new ParticleCloud(settings, this.filterSettings, robot, map, matcher);
  }

  private static void checkStart(ServerMap map, Pose start) {
    int cell = map.cellOf(start);
    String where = String.format(Locale.ROOT, "(%s, %s)", start.x(), start.y());
    if (cell < 0) {
      Pose far =
          map.origin()
              .then(
                  new Pose(
                      map.grid().width() * map.grid().resolution(),
                      map.grid().height() * map.grid().resolution(),
                      0));
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the start %s lies outside the map, which reaches from (%.2f, %.2f) to (%.2f, %.2f)",
              where,
              map.origin().x(),
              map.origin().y(),
              far.x(),
              far.y()));
    }
    if (map.isOccupied(cell)) {
      throw new IllegalArgumentException(
          "the start " + where + " lies inside a wall of the map; a robot stands where it is free");
    }
  }

  /** Takes the next reading; readings come in the order in which they were taken. */
  public Result process(long sequence, Reading reading) {
    ReadingFilter.Decision decision = readingFilter.decide(sequence, reading);
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      return new Result.Refused(refuse.why());
    }
    Step step = ((ReadingFilter.Decision.Accept) decision).step();
    odometry = odometry.and(step);
    if (!step.keyFrame()) {
      return result(pose.then(step.motion()), step);
    }
    keyFrame(step);
    return result(pose, step);
  }

  private Result result(Pose inGrid, Step step) {
    return new Result.Localised(map.inMap(inGrid), quality, cloud.latest(), step.searched());
  }

  private void keyFrame(Step step) {
    Beams all = Beams.of(step.scan(), unitsPerMetre, filterSettings.independentRadians());
    Beams beams = all.atMost(MOST_BEAMS);
    double share = Math.min(1, (double) settings.independentBeams() / step.scan().beams());
    ScanEnds ends = map.field().ends(beams, unitsPerMetre, share * all.count() / beams.count());
    MotionModel error = MotionModel.of(filterSettings, step, beams);
    boolean isUpdate = step.first() || moved(step.motion());
    Prior prior;
    if (step.first()) {
      start.ifPresentOrElse(
          at -> cloud.beginAt(at, step.sequence()),
          () -> cloud.beginAnywhere(beams, ends, step.sequence()));
    } else {
      cloud.move(step.motion(), error, step.sequence());
    }
    if (isUpdate) {
      metres = 0;
      radians = 0;
      cluster = cloud.weigh(beams, ends, step.sequence());
      double cell = TiledMap.UNITS / unitsPerMetre;
      prior = new Prior(cluster.mean(), cluster.information(cell, LEAST_RADIANS));
    } else {
      Symmetric3 information = error.information(pose.theta());
      prior = new Prior(pose.then(step.motion()), information);
    }
    Match match = matcher.match(map.walls(), beams, prior);
    evaluations += match.evaluations();
    pose = match.pose();
    rate(ends, isUpdate);
  }

  private boolean moved(Pose motion) {
    metres += Pose.ORIGIN.distance(motion);
    drivenMetres += Pose.ORIGIN.distance(motion);
    radians += Math.abs(motion.theta());
    return settings.isUpdate(metres, radians);
  }

  private void rate(ScanEnds ends, boolean isUpdate) {
    double now = map.field().shareAtWalls(ends, pose);
    // It falls with one scan, as when the robot is carried away, and rises by several.
    fitAverage = quality == null ? now : fitAverage;
    fitAverage += isUpdate ? settings.fastRate() * (now - fitAverage) : 0;
    double fit = Math.min(now, fitAverage);
    State state =
        fit < settings.lostBelowFit()
            ? State.LOST
            : cluster.weight() < UNAMBIGUOUS_SHARE ? State.AMBIGUOUS : State.OK;
    Symmetric3 spread = cluster.covariance();
    quality =
        new LocalisationQuality(
            fit,
            StrictMath.sqrt(spread.xx() + spread.yy()),
            StrictMath.sqrt(spread.tt()),
            cluster.weight(),
            state);
  }

  /**
   * The way by the motions between key frames, metres: without the jumps of a pose that is found.
   */
  public double drivenMetres() {
    return drivenMetres;
  }

  /** How often odometry was doubted. */
  public OdometryStatistics odometry() {
    return odometry;
  }

  /** Poses scored by the scan matcher. */
  public long evaluations() {
    return evaluations + cloud.evaluations();
  }

  /** How often the particles were resampled. */
  public long resamplings() {
    return cloud.resamplings();
  }
}
