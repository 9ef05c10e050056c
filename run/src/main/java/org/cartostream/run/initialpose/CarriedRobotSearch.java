package org.cartostream.run.initialpose;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import org.cartostream.broker.message.Outcome;
import org.cartostream.run.metrics.AnsweredLog;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.preprocess.CarriedRobotDetector;
import org.cartostream.slam.preprocess.CarriedRobotDetector.Judged;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * Iterator over the log of a robot that may have been carried on the way, or whose log consists of
 * several sessions. It returns no reading before it is known whether the robot stands where
 * odometry says ({@link CarriedRobotDetector}). If not, the robot is searched for in the map so far
 * by the following readings ({@link GlobalLocalisation}). {@link State} says what becomes of the
 * readings.
 *
 * <p>The returned entries depend only on the log and on the poses of the outcomes, which are the
 * same on any engine. So checkpoints need not contain this search: a resumed run reads its log from
 * the beginning, with the outcomes known so far.
 *
 * <p>Owns the map so far, drawn along the filter's own poses, and the readings that were read
 * ahead.
 */
public final class CarriedRobotSearch implements Iterator<LogEntry>, AnsweredLog {

  private enum State {
    /**
     * Readings are returned as they come; readings in doubt are returned when the doubt is over.
     */
    FOLLOWING,
    /**
     * The robot has not moved although odometry says so: the next reading is returned with the
     * robot's true pose.
     */
    STANDS_STILL,
    /** The robot must be searched for, once all returned readings are in the map. */
    CARRIED,
    /** The robot was not found: all further readings are refused. */
    ENDED
  }

  /**
   * Maximum distance between the found pose and odometry's for a robot that was not carried,
   * metres.
   */
  private static final double SAME_METRES = 1;

  private static final double SAME_RADIANS = StrictMath.toRadians(30);

  /**
   * Minimum fit of the scans at odometry's pose by which odometry is trusted if the robot is not
   * found anywhere. With a third of the beams on people, the fit is 0.62 to 0.68.
   */
  private static final double CROWDED_FIT = 0.55;

  /** Minimum fit of a scan at the edge of the map, where half of the scan may be new. */
  private static final double EDGE_FIT = 0.5;

  /** Maximum distance over which a robot is followed back without a scan that fits, metres. */
  private static final double FOLLOWED_METRES = 5;

  /** Maximum number of entries in memory while the robot is searched for. */
  private static final int MAX_SEEN = 20_000;

  /** Minimum distance between poses at which scans are drawn into the map, metres. */
  private static final double DRAWN_METRES = 0.1;

  private static final double DRAWN_RADIANS = 0.1;

  /** A returned reading that has no outcome yet. */
  private record Sent(Reading reading, long place, Optional<Scan> scan) {}

  /**
   * An entry of the log that has not been returned yet.
   *
   * @param place the entry's place in the log, from 1
   * @param scan the filtered scan; empty if the reading has not been judged or has no usable scan
   * @param moved the robot's motion since the last usable reading, as the detector judges it
   */
  private record Held(LogEntry entry, long place, Optional<Scan> scan, Pose moved) {

    Held(LogEntry entry, long place) {
      this(entry, place, Optional.empty(), Pose.ORIGIN);
    }

    Optional<Reading> reading() {
      return entry instanceof LogEntry.Usable usable
          ? Optional.of(usable.reading())
          : Optional.empty();
    }
  }

  /**
   * First reading that is mapped after a gap of refused readings.
   *
   * @param first index of the reading among those that the search has read
   */
  private record Begin(int first, Pose pose) {}

  private final RootSettings settings;
  private final Iterator<LogEntry> log;
  private final double minFit;
  private final CarriedRobotDetector detector;
  private final List<String> notices = new ArrayList<>();
  private final RayTracedMap map;

  /** Check against the earlier map; null if the run begins with an empty map. */
  private final EarlierMapCheck earlier;

  private State state = State.FOLLOWING;
  private long read;

  /** Entries that are returned next. */
  private final Deque<Held> decided = new ArrayDeque<>();

  /** Entries from the first doubtful reading on. */
  private final Deque<Held> inDoubt = new ArrayDeque<>();

  /** Entries that a search has read, and that must be judged again. */
  private final Deque<Held> again = new ArrayDeque<>();

  private final Deque<Sent> unanswered = new ArrayDeque<>();

  /** Place in the log of the first reading where the robot does not stand where odometry says. */
  private long carriedAt;

  /** The robot's pose at the next returned reading; null if it follows from odometry. */
  private InitialPose.At carriedTo;

  /** The filter's own pose at the latest processed reading; null before the first. */
  private Pose local;

  private Pose odometry;

  private Pose drawn;

  /**
   * @param map map of the earlier runs, into which this log's scans are drawn
   */
  public CarriedRobotSearch(Iterator<LogEntry> log, RootSettings settings, RayTracedMap map) {
    this.log = log;
    this.settings = settings;
    this.map = map;
    this.minFit = settings.localisation().lostBelowFit();
    this.detector = new CarriedRobotDetector(settings.slam());
    this.earlier = map().map(known -> new EarlierMapCheck(known, minFit)).orElse(null);
  }

  /**
   * Prepares for a run that continues another one, whose robot may have been carried since.
   *
   * @param filter reading filter of the earlier run; owned by this search from now on
   * @param path the earlier run's path
   */
  public void resume(ReadingFilter filter, RecordedPath path) {
    path.forLatest(2 * settings.slam().odometry().keyFrames(), detector::know);
    detector.resume(filter);
    List<PathPose> poses = path.path();
    local = poses.isEmpty() ? null : poses.get(poses.size() - 1).pose();
  }

  /** Returns sentences for people on the searches so far. */
  public List<String> notices() {
    return notices;
  }

  // --- the log -----------------------------------------------------------------------------------

  @Override
  public boolean isHeld() {
    advance();
    return decided.isEmpty() && awaitsAnswers();
  }

  private boolean awaitsAnswers() {
    return (state == State.STANDS_STILL || state == State.CARRIED) && !unanswered.isEmpty();
  }

  @Override
  public boolean hasNext() {
    return !decided.isEmpty() || !inDoubt.isEmpty() || !again.isEmpty() || log.hasNext();
  }

  @Override
  public LogEntry next() {
    advance();
    if (decided.isEmpty()) {
      throw new NoSuchElementException(
          awaitsAnswers() ? unanswered.size() + " readings have no answer yet" : "the log is over");
    }
    Held next = decided.remove();
    if (next.entry instanceof LogEntry.Usable usable) {
      unanswered.add(new Sent(usable.reading(), next.place, next.scan));
    }
    return next.entry;
  }

  /** Reads and judges entries until one can be returned or outcomes are needed. */
  private void advance() {
    while (decided.isEmpty() && !awaitsAnswers() && hasNext()) {
      switch (state) {
        case FOLLOWING -> follow();
        case STANDS_STILL -> standStill();
        case CARRIED -> search();
        case ENDED -> decided.add(refused(take()));
      }
    }
  }

  private Held take() {
    return again.isEmpty() ? new Held(log.next(), ++read) : again.remove();
  }

  private void follow() {
    if (again.isEmpty() && !log.hasNext()) {
      release(); // The log ended before the doubt was settled.
      return;
    }
    Held next = take();
    if (!(next.entry instanceof LogEntry.Usable usable)) {
      (inDoubt.isEmpty() ? decided : inDoubt).add(next);
      return;
    }
    Judged judged = detector.judge(usable.reading());
    Held seen = new Held(usable, next.place, judged.scan(), judged.moved());
    if (judged.scan().isEmpty() && !inDoubt.isEmpty()) {
      inDoubt.add(seen);
      return;
    }
    switch (judged.verdict()) {
      case STANDS -> {
        release();
        decide(seen);
      }
      case IN_DOUBT -> inDoubt.add(seen);
      case STANDS_STILL -> {
        release();
        inDoubt.add(seen);
        state = State.STANDS_STILL;
      }
      case CARRIED -> {
        inDoubt.add(seen);
        carriedAt = inDoubt.peek().place;
        state = State.CARRIED;
      }
    }
  }

  private void release() {
    inDoubt.forEach(this::decide);
    inDoubt.clear();
  }

  /**
   * Adds an entry to those that are returned next; the first reading after a gap gets the robot's
   * pose.
   */
  private void decide(Held held) {
    if (carriedTo != null && held.entry instanceof LogEntry.Usable usable) {
      LogEntry there = new LogEntry.Usable(usable.line(), usable.reading(), carriedTo);
      decided.add(new Held(there, held.place, held.scan, held.moved));
      carriedTo = null;
    } else {
      decided.add(held);
    }
  }

  private void standStill() {
    carriedTo = local == null ? null : InitialPose.At.pointedAt(local.then(inDoubt.peek().moved));
    state = State.FOLLOWING;
    release();
  }

  private Held refused(Held held) {
    if (!(held.entry instanceof LogEntry.Usable usable)) {
      return held;
    }
    Refusal.Reason why =
        ReadingRefusal.ROBOT_CARRIED.because("from scan %d of the log on".formatted(carriedAt));
    return new Held(new LogEntry.Refused(usable.line(), why), held.place);
  }

  // --- the search --------------------------------------------------------------------------------

  private void search() {
    Optional<ServerMap> known = map();
    List<Held> seen = new ArrayList<>(inDoubt);
    int doubted = seen.size();
    inDoubt.clear();
    if (known.isEmpty()) {
      trust(seen);
      return;
    }
    GlobalLocalisation search = new GlobalLocalisation(known.get(), settings);
    boolean isFound = false;
    for (int i = 0; !isFound && !search.isGivenUp() && i < MAX_SEEN; i++) {
      if (i == seen.size() && !isMore()) {
        break;
      }
      if (i == seen.size()) {
        seen.add(take());
      }
      isFound = seen.get(i).reading().filter(search::isFoundAt).isPresent();
    }
    if (isFound) {
      found(known.get(), search, seen);
    } else if (fitByOdometry(known.get(), seen.subList(0, doubted)) >= CROWDED_FIT) {
      detector.expectAtMost(CROWDED_FIT);
      trust(seen);
    } else {
      notices.add(
          ("from scan %d on, the robot does not stand where odometry says, and was not found in what"
                  + " was mapped before: the map ends there (--continue of its run.state with --at"
                  + " X,Y,YAW goes on with the rest)")
              .formatted(carriedAt));
      state = State.ENDED;
      seen.forEach(held -> decided.add(refused(held)));
    }
  }

  /** Returns the mean fit of scans where odometry says that they were taken; 0 if it cannot say. */
  private double fitByOdometry(ServerMap known, List<Held> seen) {
    return local == null ? 0 : fit(known, local, odometry, seen);
  }

  /**
   * Returns the mean fit of scans along a path by odometry; 0 if the map knows too little there.
   *
   * @param pose a pose of the path in the map, where odometry's pose is {@code byOdometry}
   */
  private double fit(ServerMap known, Pose pose, Pose byOdometry, List<Held> seen) {
    EarlierMapCheck check = new EarlierMapCheck(known, minFit);
    return seen.stream()
        .flatMap(held -> held.reading().stream())
        .map(each -> check.fit(pose.then(byOdometry.to(each.odometry())), each.scan()))
        .flatMapToDouble(OptionalDouble::stream)
        .average()
        .orElse(0);
  }

  /** Returns to following odometry: the doubt was caused by people or by things that they moved. */
  private void trust(List<Held> seen) {
    detector.trust();
    state = State.FOLLOWING;
    seen.forEach(this::decide);
  }

  private boolean isMore() {
    return !again.isEmpty() || log.hasNext();
  }

  /**
   * Goes on where the robot was found, unless that is where odometry says, or odometry's place may
   * be right: the misfit along the path there must be less than half of that along odometry's, over
   * all readings since the gap. Where much looks alike, robots are found that nobody has carried.
   */
  private void found(ServerMap known, GlobalLocalisation search, List<Held> seen) {
    Reading last =
        seen.stream()
            .flatMap(held -> held.reading().stream())
            .reduce((one, other) -> other)
            .orElseThrow();
    double misfit = 1 - fit(known, search.pose(), last.odometry(), seen);
    if (isWhereOdometrySays(search.pose(), last) || misfit > (1 - fitByOdometry(known, seen)) / 2) {
      trust(seen);
      return;
    }
    state = State.FOLLOWING;
    Begin begin = followBack(search, seen, last);
    seen.subList(0, begin.first).forEach(held -> decided.add(refused(held)));
    for (int i = seen.size() - 1; i >= begin.first; i--) {
      again.addFirst(seen.get(i)); // Before those that an earlier search has read.
    }
    carriedTo = InitialPose.At.pointedAt(begin.pose);
    detector.restart();
    long from = again.peek().place;
    notices.add(
        String.format(
            Locale.ROOT,
            "from scan %d on, the robot does not stand where odometry says: it was found in the map"
                + " at %s%s",
            carriedAt,
            InitialPoseCheck.numbers(begin.pose),
            from == carriedAt ? "" : ", where it is from scan %d on".formatted(from)));
  }

  /**
   * Follows the robot back by odometry to the first reading whose scan fits the map at the robot's
   * pose then. At the edge of the map, half of a scan may be new.
   */
  private Begin followBack(GlobalLocalisation search, List<Held> seen, Reading last) {
    Begin begin = new Begin(seen.size(), search.pose());
    Pose from = search.pose();
    Pose fromOdometry = last.odometry();
    for (int i = seen.size() - 1; i >= 0; i--) {
      Reading reading = seen.get(i).reading().orElse(null);
      if (reading == null) {
        continue;
      }
      Pose expected = from.then(fromOdometry.to(reading.odometry()));
      if (expected.distance(begin.pose) > FOLLOWED_METRES) {
        break;
      }
      Optional<RobotPose> there = search.beside(expected, reading);
      double fit = there.map(pose -> pose.quality().fit()).orElse(0.0);
      if (fit >= minFit) {
        from = there.get().inMap();
        fromOdometry = reading.odometry();
      }
      if (fit >= EDGE_FIT || i == seen.size() - 1) {
        begin = new Begin(i, there.map(RobotPose::inMap).orElse(expected));
      }
    }
    return begin;
  }

  private boolean isWhereOdometrySays(Pose there, Reading last) {
    if (local == null || odometry == null) {
      return false;
    }
    Pose expected = local.then(odometry.to(last.odometry()));
    return expected.distance(there) <= SAME_METRES
        && Math.abs(Pose.wrap(expected.theta() - there.theta())) <= SAME_RADIANS;
  }

  // --- the map -----------------------------------------------------------------------------------

  @Override
  public void answered(Reading reading, Outcome outcome) {
    if (unanswered.isEmpty() || unanswered.peek().reading != reading) {
      return; // It was refused before it was a reading.
    }
    Sent sent = unanswered.remove();
    Optional<Scan> scan = sent.scan;
    if (!(outcome instanceof Outcome.Processed processed)) {
      return;
    }
    local = processed.pose().local();
    odometry = reading.odometry();
    if (earlier != null && scan.isPresent()) {
      earlier.look(local, scan.get(), sent.place).ifPresent(notices::add);
    }
    boolean isNew =
        drawn == null
            || drawn.distance(local) >= DRAWN_METRES
            || Math.abs(Pose.wrap(drawn.theta() - local.theta())) >= DRAWN_RADIANS;
    if (isNew && scan.isPresent()) {
      drawn = local;
      map.trace(local, scan.get());
    }
  }

  /** Returns the map so far; empty if it has no free cell or is too large to be drawn. */
  private Optional<ServerMap> map() {
    try {
      OccupancyGrid grid = map.grid();
      return Optional.of(ServerMap.of(grid, new Pose(grid.originX(), grid.originY(), 0)));
    } catch (IllegalArgumentException | IllegalStateException e) {
      return Optional.empty(); // No cell is free, or it is too large to be drawn.
    }
  }
}
