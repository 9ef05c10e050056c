package org.cartostream.run.initialpose;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
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
 * A log of a robot that may have been carried meanwhile, or that consists of several sessions: no
 * reading leaves it before it is known whether the robot stands where odometry says ({@link
 * CarriedRobotDetector}). Where it does not, it is searched for in the map so far, as far as its
 * log goes ({@link GlobalLocalisation}). {@link State} says what becomes of its readings.
 *
 * <p>What it gives is a function of the log and of the poses that the readings got, which are the
 * same on any engine. So it needs to be in no checkpoint: a run that goes on reads its log from the
 * beginning, with the outcomes that it had.
 *
 * <p>Owns the map so far, drawn along the filter's own poses, and the readings that are looked at
 * ahead.
 */
public final class CarriedRobotSearch implements Iterator<LogEntry>, AnsweredLog {

  private enum State {
    /** Readings leave as they come, those in doubt when the doubt is over. */
    FOLLOWING,
    /** The robot is where it was before, whatever odometry says: the next reading says so. */
    STANDS_STILL,
    /** The robot is to be searched for, once all that left before is in the map. */
    CARRIED,
    /** It was not found: all that follows is refused. */
    ENDED
  }

  /** Where it is found so near to odometry's own place, it was not carried. */
  private static final double SAME_METRES = 1;

  private static final double SAME_RADIANS = StrictMath.toRadians(30);

  /**
   * A robot that is not found elsewhere stays where odometry says if so much of what is known is
   * there: with a third of the beams on people it is 0.62 to 0.68.
   */
  private static final double CROWDED_FIT = 0.55;

  /** At the edge of what is known, share of what the beams meet that has to be known. */
  private static final double EDGE_FIT = 0.5;

  /** A robot is followed back so far without a scan that fits, metres. */
  private static final double FOLLOWED_METRES = 5;

  /** So many scans are kept in memory at most while the robot is searched for. */
  private static final int MAX_SEEN = 20_000;

  /** Scans are drawn when the robot has moved by so much. */
  private static final double DRAWN_METRES = 0.1;

  private static final double DRAWN_RADIANS = 0.1;

  /** A reading that left and has no outcome yet. */
  private record Sent(Reading reading, long place, Optional<Scan> scan) {}

  /**
   * An entry whose turn has not come.
   *
   * @param place in the log, from 1
   * @param scan what can be used of it, if it was judged
   * @param moved since the one before, as odometry is believed
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
   * Beginning of what is mapped behind a gap.
   *
   * @param first place among the readings that were looked at
   */
  private record Begin(int first, Pose pose) {}

  private final RootSettings settings;
  private final Iterator<LogEntry> log;
  private final double minFit;
  private final CarriedRobotDetector detector;
  private final List<String> notices = new ArrayList<>();
  private final RayTracedMap map;

  /** Null if there was no map before. */
  private final EarlierMapCheck earlier;

  private State state = State.FOLLOWING;
  private long read;

  /** Entries that leave next. */
  private final Deque<Held> decided = new ArrayDeque<>();

  /** Entries from the first in doubt. */
  private final Deque<Held> inDoubt = new ArrayDeque<>();

  /** Entries that were looked at in a search, and are to be judged. */
  private final Deque<Held> again = new ArrayDeque<>();

  private final Deque<Sent> unanswered = new ArrayDeque<>();

  /** Place in the log of the first reading at another place than odometry says. */
  private long carriedAt;

  /** Where the robot is at the next reading that is decided; null if odometry says it. */
  private InitialPose.At carriedTo;

  /** The filter's own pose at the latest reading that was used, and odometry there; null before. */
  private Pose local;

  private Pose odometry;

  private Pose drawn;

  /**
   * @param map of the runs before; is drawn in
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
   * The run goes on behind another, and nobody says that its robot still stands there.
   *
   * @param filter of that, which it does not need any more
   * @param path as far as it came
   */
  public void resume(ReadingFilter filter, RecordedPath path) {
    path.forLatest(2 * settings.slam().odometry().keyFrames(), detector::know);
    detector.resume(filter);
    List<PathPose> poses = path.path();
    local = poses.isEmpty() ? null : poses.get(poses.size() - 1).pose();
  }

  /** Sentences for people on what was found so far. */
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

  /** Decides about what comes, until something may leave, or answers are needed. */
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
      release(); // It ended before anybody could tell.
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

  /** An entry leaves next; the first reading behind a gap with the robot's place. */
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
      found(search, seen);
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

  /**
   * Returns the share of what the map knows that is there of the scans in doubt, where odometry
   * says that they were taken; 0 if the map knows too little there.
   */
  private double fitByOdometry(ServerMap known, List<Held> doubted) {
    EarlierMapCheck check = new EarlierMapCheck(known, minFit);
    Pose expected = local;
    double sum = 0;
    int scans = 0;
    for (Held held : doubted) {
      expected = expected == null ? null : expected.then(held.moved);
      if (expected != null && held.scan.isPresent()) {
        double fit = check.fit(expected, held.scan.get());
        sum += fit;
        scans += fit > 0 ? 1 : 0;
      }
    }
    return scans == 0 ? 0 : sum / scans;
  }

  /** The robot is where odometry says: it was people, or what they had moved. */
  private void trust(List<Held> seen) {
    detector.trust();
    state = State.FOLLOWING;
    seen.forEach(this::decide);
  }

  private boolean isMore() {
    return !again.isEmpty() || log.hasNext();
  }

  private void found(GlobalLocalisation search, List<Held> seen) {
    Optional<Reading> last =
        seen.stream().flatMap(held -> held.reading().stream()).reduce((one, other) -> other);
    if (isWhereOdometrySays(search.pose(), last.orElseThrow())) {
      trust(seen);
      return;
    }
    state = State.FOLLOWING;
    Begin begin = followBack(search, seen, last.orElseThrow());
    seen.subList(0, begin.first).forEach(held -> decided.add(refused(held)));
    seen.subList(begin.first, seen.size()).forEach(again::add);
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
   * Follows the robot back by odometry, to the first reading at which its scan fits where it was
   * then: at the edge of what is known half of a scan is new.
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

  /** Empty if there is nothing to be found in. */
  private Optional<ServerMap> map() {
    try {
      OccupancyGrid grid = map.grid();
      return Optional.of(ServerMap.of(grid, new Pose(grid.originX(), grid.originY(), 0)));
    } catch (IllegalArgumentException | IllegalStateException e) {
      return Optional.empty(); // No cell is free, or it is too large to be drawn.
    }
  }
}
