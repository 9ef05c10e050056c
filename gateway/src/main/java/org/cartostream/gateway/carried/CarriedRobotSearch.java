package org.cartostream.gateway.carried;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.cartostream.broker.message.Outcome;
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
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * Search for a robot that may be carried on the way, or whose log consists of several sessions.
 * Takes each entry of a log, or each reading of a live robot ({@link #offer}), and gives it back
 * ({@link #poll}), in order, once it is known whether the robot stands where odometry says ({@link
 * CarriedRobotDetector}). If not, the robot is searched for in the map so far by the following
 * readings ({@link GlobalLocalisation}). {@link State} says what becomes of the readings.
 *
 * <p>What is given back depends only on what was offered and on the poses of the outcomes, never on
 * time, so it is the same on any engine. Checkpoints need not contain this search: a resumed replay
 * reads its log from the beginning, with the outcomes known so far.
 *
 * <p>Owns the map so far, drawn along the filter's own poses, and the entries that were not given
 * back. One thread uses it.
 */
public final class CarriedRobotSearch {

  /**
   * A scan that is drawn into the map.
   *
   * @param place number of the reading, from 1
   * @param reading the reading, with the usable part of its scan
   * @param pose the filter's own pose at the reading
   */
  public record Drawn(long place, Reading reading, Pose pose) {}

  private enum State {
    /** Entries are given back as they come, those in doubt when the doubt is over. */
    FOLLOWING,
    /**
     * The robot has not moved although odometry says so: the next reading is given back with the
     * robot's true pose.
     */
    STANDS_STILL,
    /** The robot must be searched for, once all readings that were given back are in the map. */
    CARRIED,
    /** The robot is searched for. */
    SEARCHING,
    /** A live robot was not found: it is searched for on, until somebody begins a new map. */
    LOST,
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

  /**
   * Weighings after which a live robot counts as lost, or as among people: 20 m of driving, by
   * which most robots are found.
   */
  private static final int LIVE_WEIGHINGS = 100;

  /** Number of latest entries that are kept while a live robot is searched for. */
  private static final int LIVE_KEPT = 2_000;

  /** Minimum distance between poses at which scans are drawn into the map, metres. */
  private static final double DRAWN_METRES = 0.1;

  private static final double DRAWN_RADIANS = 0.1;

  /** A reading that was given back and has no outcome yet. */
  private record Sent(Reading reading, long place, Optional<Scan> scan) {}

  /**
   * An entry that was not given back yet.
   *
   * @param place the entry's number, from 1
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

  private final FilterSettings slam;
  private final LocalisationSettings localisation;
  private final boolean isLive;
  private final Consumer<String> notices;
  private final double minFit;
  private final CarriedRobotDetector detector;
  private final RayTracedMap map;

  /** Check against the earlier map; null if the run begins with an empty map. */
  private final EarlierMapCheck earlier;

  private State state = State.FOLLOWING;
  private long read;

  /** True if nothing more is offered. */
  private boolean isOver;

  /** Entries that were offered and not looked at. */
  private final Deque<Held> offered = new ArrayDeque<>();

  /** Entries that are given back next. */
  private final Deque<Held> decided = new ArrayDeque<>();

  /** Entries from the first doubtful reading on. */
  private final Deque<Held> inDoubt = new ArrayDeque<>();

  /** Entries that a search has read, and that must be judged again. */
  private final Deque<Held> again = new ArrayDeque<>();

  private final Deque<Sent> unanswered = new ArrayDeque<>();

  /** The search and the map in which it searches; null unless the robot is searched for. */
  private GlobalLocalisation search;

  private ServerMap known;

  /** Entries since the first doubtful one, while the robot is searched for. */
  private final List<Held> seen = new ArrayList<>();

  /** Number of entries of {@link #seen} that the detector has judged. */
  private int doubted;

  /** Number of entries of {@link #seen} that the search has taken. */
  private int searched;

  /** Number of the first reading where the robot does not stand where odometry says. */
  private long carriedAt;

  /** The robot's pose at the next reading given back; null if it follows from odometry. */
  private InitialPose.At carriedTo;

  /** The filter's own pose at the latest processed reading; null before the first. */
  private Pose local;

  private Pose odometry;

  private Pose drawn;

  /** Receiver of the scans that are drawn. */
  private Consumer<Drawn> keeper = any -> {};

  /** Latest reading of an earlier process; null if there is none. */
  private Reading latest;

  /**
   * @param map map of the earlier runs, into which this run's scans are drawn
   * @param isLive true if a robot that is not found is searched for without end
   * @param notices receives sentences for people on the searches
   */
  public CarriedRobotSearch(
      FilterSettings slam,
      LocalisationSettings localisation,
      RayTracedMap map,
      boolean isLive,
      Consumer<String> notices) {
    this.slam = slam;
    this.localisation = localisation;
    this.map = map;
    this.isLive = isLive;
    this.notices = notices;
    this.minFit = localisation.lostBelowFit();
    this.detector = new CarriedRobotDetector(slam);
    this.earlier = map().map(before -> new EarlierMapCheck(before, minFit)).orElse(null);
  }

  /**
   * Prepares for a run that continues another one, whose robot may have been carried since.
   *
   * @param filter reading filter of the earlier run; owned by this search from now on
   * @param path the earlier run's path
   */
  public void resume(ReadingFilter filter, RecordedPath path) {
    path.forLatest(2 * slam.odometry().keyFrames(), detector::know);
    detector.resume(filter);
    List<PathPose> poses = path.path();
    local = poses.isEmpty() ? null : poses.get(poses.size() - 1).pose();
  }

  /** Returns a search for a new run, whose map is empty. */
  public CarriedRobotSearch anew() {
    RayTracedMap empty = new RayTracedMap(slam.cellMetres());
    CarriedRobotSearch anew = new CarriedRobotSearch(slam, localisation, empty, isLive, notices);
    anew.whenDrawn(keeper);
    return anew;
  }

  /** Sets who keeps the scans that are drawn into the map from now on. */
  public void whenDrawn(Consumer<Drawn> by) {
    keeper = by;
  }

  /** Takes in a scan that an earlier process of the run has drawn, in their order. */
  public void know(Drawn scan) {
    read = scan.place;
    latest = scan.reading;
    local = scan.pose;
    odometry = latest.odometry();
    drawn = local;
    map.trace(local, latest.scan());
    detector.know(local, latest.scan());
  }

  /** Goes on behind the scans that an earlier process has drawn. */
  public void goOn() {
    if (latest != null) {
      detector.judge(latest);
    }
  }

  // --- entries -----------------------------------------------------------------------------------

  /** Takes the next entry. */
  public void offer(LogEntry entry) {
    offered.add(new Held(entry, ++read));
  }

  /** Notes that no more entries come: what is in doubt or searched for is decided now. */
  public void end() {
    isOver = true;
  }

  /** Returns true if nothing can be given back before another entry is offered. */
  public boolean needsMore() {
    advance();
    return decided.isEmpty() && !awaitsAnswers();
  }

  /** Returns true if nothing can be given back before all readings given back have outcomes. */
  public boolean isHeld() {
    advance();
    return decided.isEmpty() && awaitsAnswers();
  }

  private boolean awaitsAnswers() {
    return (state == State.STANDS_STILL || state == State.CARRIED) && !unanswered.isEmpty();
  }

  /** Returns true if all entries were given back. */
  public boolean isEmpty() {
    return decided.isEmpty() && inDoubt.isEmpty() && seen.isEmpty() && !hasNew();
  }

  /** Gives back the next entry; null if more entries or outcomes are needed. */
  public LogEntry poll() {
    advance();
    if (decided.isEmpty()) {
      return null;
    }
    Held next = decided.remove();
    if (next.entry instanceof LogEntry.Usable usable) {
      unanswered.add(new Sent(usable.reading(), next.place, next.scan));
    }
    return next.entry;
  }

  /** Returns for people why readings are held back; empty if none are. */
  public String sentence() {
    return switch (state) {
      case FOLLOWING, STANDS_STILL ->
          inDoubt.isEmpty()
              ? ""
              : "From scan %d on, the laser contradicts odometry; nothing is mapped until it is known whether the robot was carried"
                  .formatted(inDoubt.peek().place);
      case CARRIED, SEARCHING ->
          "From scan %d on, the robot does not stand where odometry says; it is searched for, and nothing is mapped meanwhile"
              .formatted(carriedAt);
      case LOST ->
          "From scan %d on, the robot does not stand where odometry says, and is not found in what was mapped before; it is searched for on, and the service cartostream/new_map begins a new map"
              .formatted(carriedAt);
      case ENDED -> "";
    };
  }

  /** Judges entries until one can be given back, or entries or outcomes are needed. */
  private void advance() {
    while (decided.isEmpty() && !awaitsAnswers() && hasWork()) {
      switch (state) {
        case FOLLOWING -> follow();
        case STANDS_STILL -> standStill();
        case CARRIED -> beginSearch();
        case SEARCHING, LOST -> search();
        case ENDED -> decided.add(refused(take()));
      }
    }
  }

  private boolean hasWork() {
    return switch (state) {
      case STANDS_STILL, CARRIED -> true;
      case FOLLOWING -> hasNew() || isOver && !inDoubt.isEmpty();
      case SEARCHING, LOST -> searched < seen.size() || hasNew() || isOver;
      case ENDED -> hasNew();
    };
  }

  private boolean hasNew() {
    return !again.isEmpty() || !offered.isEmpty();
  }

  private Held take() {
    return again.isEmpty() ? offered.remove() : again.remove();
  }

  private void follow() {
    if (!hasNew()) {
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
   * Adds an entry to those that are given back next; the first reading after a gap gets the robot's
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

  private void beginSearch() {
    Optional<ServerMap> soFar = map();
    seen.addAll(inDoubt);
    inDoubt.clear();
    if (soFar.isEmpty()) {
      trust();
      return;
    }
    doubted = seen.size();
    searched = 0;
    known = soFar.get();
    search = new GlobalLocalisation(known, localisation, slam);
    state = State.SEARCHING;
  }

  /** Searches by the next entry. */
  private void search() {
    if (searched == seen.size() && !hasNew()) {
      giveUp(); // The log is over.
      return;
    }
    if (searched == seen.size()) {
      seen.add(take());
    }
    while (isLive && seen.size() > LIVE_KEPT) {
      decided.add(refused(seen.remove(0)));
      searched--;
      doubted = Math.max(0, doubted - 1);
    }
    Reading reading = seen.get(searched++).reading().orElse(null);
    if (reading != null && search.isFoundAt(reading)) {
      found(reading);
    } else if (isGivenUp()) {
      giveUp();
    } else if (reading != null && !search.isNeeded()) { // It stands for long.
      seen.set(searched - 1, refused(seen.get(searched - 1)));
    }
  }

  private boolean isGivenUp() {
    return isLive
        ? state == State.SEARCHING && search.weighings() >= LIVE_WEIGHINGS
        : search.isGivenUp();
  }

  private void giveUp() {
    if (state != State.LOST && fitByOdometry(seen.subList(0, doubted)) >= CROWDED_FIT) {
      detector.expectAtMost(CROWDED_FIT);
      trust();
    } else if (isLive && !isOver) {
      state = State.LOST;
      notices.accept(sentence());
    } else {
      notices.accept(
          ("from scan %d on, the robot does not stand where odometry says, and was not found in what"
                  + " was mapped before: the map ends there (--continue of its run.state with --at"
                  + " X,Y,YAW goes on with the rest)")
              .formatted(carriedAt));
      state = State.ENDED;
      seen.forEach(held -> decided.add(refused(held)));
      seen.clear();
      endSearch();
    }
  }

  /** Returns the mean fit of scans where odometry says that they were taken; 0 if it cannot say. */
  private double fitByOdometry(List<Held> held) {
    return local == null ? 0 : fit(local, odometry, held);
  }

  /**
   * Returns the mean fit of scans along a path by odometry; 0 if the map knows too little there.
   *
   * @param pose a pose of the path in the map, where odometry's pose is {@code byOdometry}
   */
  private double fit(Pose pose, Pose byOdometry, List<Held> held) {
    EarlierMapCheck check = new EarlierMapCheck(known, minFit);
    return held.stream()
        .flatMap(one -> one.reading().stream())
        .map(each -> check.fit(pose.then(byOdometry.to(each.odometry())), each.scan()))
        .flatMapToDouble(OptionalDouble::stream)
        .average()
        .orElse(0);
  }

  /** Returns to following odometry: the doubt was caused by people or by things that they moved. */
  private void trust() {
    detector.trust();
    state = State.FOLLOWING;
    seen.forEach(this::decide);
    seen.clear();
    endSearch();
  }

  /** Gives back the memory of the search, which is over. */
  private void endSearch() {
    search = null;
    known = null;
  }

  /**
   * Goes on where the robot was found, unless that is where odometry says, or odometry's place may
   * be right: the misfit along the path there must be less than half of that along odometry's, over
   * all readings since the gap; of a lost robot, over those that it is followed back. Where much
   * looks alike, robots are found that nobody has carried.
   */
  private void found(Reading last) {
    boolean isLost = state == State.LOST;
    if (!isLost && (isWhereOdometrySays(search.pose(), last) || !isClear(last, seen))) {
      trust();
      return;
    }
    Begin begin = followBack(last);
    if (isLost && !isClear(last, seen.subList(begin.first, seen.size()))) {
      return; // Odometry is not trusted any more: it is searched for on.
    }
    state = State.FOLLOWING;
    seen.subList(0, begin.first).forEach(held -> decided.add(refused(held)));
    for (int i = seen.size() - 1; i >= begin.first; i--) {
      again.addFirst(seen.get(i)); // Before those that an earlier search has read.
    }
    seen.clear();
    endSearch();
    carriedTo = InitialPose.At.pointedAt(begin.pose);
    detector.restart();
    long from = again.peek().place;
    notices.accept(
        String.format(
            Locale.ROOT,
            "from scan %d on, the robot does not stand where odometry says: it was found in the map"
                + " at %s%s",
            carriedAt,
            GlobalLocalisation.numbers(begin.pose),
            from == carriedAt ? "" : ", where it is from scan %d on".formatted(from)));
  }

  /** Returns true if readings misfit where the robot was found less than half as by odometry. */
  private boolean isClear(Reading last, List<Held> held) {
    return 1 - fit(search.pose(), last.odometry(), held) <= (1 - fitByOdometry(held)) / 2;
  }

  /**
   * Follows the robot back by odometry to the first reading whose scan fits the map at the robot's
   * pose then. At the edge of the map, half of a scan may be new; but a lost robot may have come
   * from where another building has some walls in common.
   */
  private Begin followBack(Reading last) {
    int latest = searched - 1;
    Begin begin = new Begin(latest, search.pose());
    double edgeFit = state == State.LOST ? minFit : EDGE_FIT;
    Pose from = search.pose();
    Pose fromOdometry = last.odometry();
    for (int i = latest; i >= 0; i--) {
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
      if (fit >= edgeFit || i == latest) {
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

  /** Takes the outcome of a reading that was given back. */
  public void answered(Reading reading, Outcome outcome) {
    Sent sent = null;
    for (Sent each : unanswered) { // A reading that is refused is answered before earlier ones.
      sent = sent == null && each.reading == reading ? each : sent;
    }
    if (sent == null) {
      return; // It was refused before it was a reading.
    }
    unanswered.remove(sent);
    Optional<Scan> scan = sent.scan;
    if (!(outcome instanceof Outcome.Processed processed)) {
      return;
    }
    local = processed.pose().local();
    odometry = reading.odometry();
    if (earlier != null && scan.isPresent()) {
      earlier.look(local, scan.get(), sent.place).ifPresent(notices);
    }
    boolean isNew =
        drawn == null
            || drawn.distance(local) >= DRAWN_METRES
            || Math.abs(Pose.wrap(drawn.theta() - local.theta())) >= DRAWN_RADIANS;
    if (isNew && scan.isPresent()) {
      drawn = local;
      map.trace(local, scan.get());
      Reading usable = new Reading(reading.stampNanos(), odometry, scan.get());
      keeper.accept(new Drawn(sent.place, usable, local));
    }
  }

  /** Returns the map so far; empty if it has no free cell or is too large to be drawn. */
  private Optional<ServerMap> map() {
    OccupancyGrid grid;
    try {
      grid = map.grid();
    } catch (IllegalStateException tooLarge) {
      notices.accept(
          "whether the robot was carried is not asked, for it could not be searched for: "
              + tooLarge.getMessage());
      return Optional.empty();
    }
    try {
      return Optional.of(ServerMap.of(grid, new Pose(grid.originX(), grid.originY(), 0)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // No cell is free yet.
    }
  }
}
