package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.FencingToken;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the readings of many robots to their filters. There is one dispatcher; where it was cut
 * off and another took its place, the {@link FencingToken} tells whose messages count.
 *
 * <p>A robot needs no announcement: its first reading begins its run. Where there was a dispatcher
 * before, the others are asked first, for that may have begun the run, or a later one. A robot is
 * released at the run's end, or when it has been silent for long and is not in the registry; sooner
 * if it has left that.
 *
 * <p>Owns one {@link Admission} per robot: that of its latest run, or the {@link Recollection} of
 * it; the order of the runs, the {@link PauseTolerantClock} by which robots and tasks are waited
 * for, and the service's {@link RobotRegistryWatch}.
 */
final class DispatcherBolt extends Bolt<Component.Dispatcher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherBolt.class);

  /** How many of a robot's earlier runs are known again if something of them comes late. */
  private static final int RUNS_REMEMBERED = 16;

  /** Of so many runs, of all robots, it is known that messages of theirs were dropped. */
  private static final int DROPPED_REMEMBERED = 1000;

  /** So many runs may begin with one dispatcher. */
  static final long RUNS_A_TERM = 1L << 32;

  /** So many rounds of questions may follow a recollection. */
  private static final long ROUNDS_A_RECOLLECTION = 1 << 10;

  private final SerializedSettings<ServiceSettings> serializedSettings;

  private transient StreamPorts<Component.Dispatcher> attempts;
  private transient DispatcherOutputs outputs;
  private transient FilterSettings filter;
  private transient TopologySettings settings;
  private transient int matchers;
  private transient Map<String, ActiveRun> robots;

  /** Null where there is no ZooKeeper. */
  private transient RobotRegistryWatch robotRegistryWatch;

  private transient Map<String, Recollection> recollections;

  /** Runs of which a message was dropped, so that this is logged once; the eldest first. */
  private transient Set<Run> dropped;

  private transient PauseTolerantClock clock;
  private transient boolean hasPredecessor;
  private transient long nextOrder;

  /**
   * Rounds of questions are later than any of a dispatcher that died before, or of this one before
   * it forgot the robot.
   */
  private transient long nextRound;

  /** A robot's latest run, and the numbers of some runs before it. */
  private record ActiveRun(Admission admission, Deque<Long> earlier) {
    Run run() {
      return admission.run();
    }
  }

  DispatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    this.serializedSettings = serializedSettings;
  }

  @Override
  void wire(StreamPorts<Component.Dispatcher> streamPorts) {
    outputs = new DispatcherOutputs(streamPorts);
    streamPorts.on(Streams.ARRIVALS, this::arrival);
    streamPorts.on(Streams.READY, ready -> dispatch(ready, to -> to.ready(ready, clock.nanos())));
    streamPorts.on(
        Streams.PRESENT, answer -> dispatch(answer, to -> to.present(answer, clock.nanos())));
    streamPorts.on(
        Streams.REBORN, answer -> dispatch(answer, to -> to.reborn(answer, clock.nanos())));
    streamPorts.on(Streams.RECALLED, message -> recollect(message, to -> to.heard(message)));
    streamPorts.on(Streams.REMEMBERED, message -> recollect(message, to -> to.heard(message)));
    streamPorts.on(
        Streams.EXCHANGE_FAILED,
        message -> dispatch(message, to -> to.exchangeFailed(message, clock.nanos())));
    streamPorts.on(
        Streams.MATCHERS_FAILED, message -> dispatch(message, to -> giveUp(to, message)));
    streamPorts.on(
        Streams.RESAMPLER_FAILED, message -> dispatch(message, to -> giveUp(to, message)));
    streamPorts.on(
        Streams.FOLLOWING,
        message -> dispatch(message, to -> to.following(message, clock.nanos())));
    streamPorts.onFailure(
        (run, how) -> failed(Payload.Failed.of(run, Component.Dispatcher.class, how)));
    attempts = streamPorts;
  }

  @Override
  void start(TaskContext taskContext) {
    start(
        taskContext,
        FencingToken.next(taskContext),
        new PauseTolerantClock(System::nanoTime),
        RobotRegistryWatch.of(serializedSettings.unpack(), taskContext));
  }

  /**
   * Starts: its runs, rounds and messages come after those of dispatchers of earlier terms.
   *
   * @param registryWatch null where there is no ZooKeeper
   */
  void start(
      TaskContext taskContext,
      long term,
      PauseTolerantClock awake,
      RobotRegistryWatch registryWatch) {
    clock = awake;
    robotRegistryWatch = registryWatch;
    attempts.setFencingToken(term);
    hasPredecessor = term > 1;
    nextOrder = term * RUNS_A_TERM;
    nextRound = nextOrder;
    filter = serializedSettings.unpack().filter();
    settings = serializedSettings.unpack().topology();
    matchers = taskContext.matchers();
    robots = new HashMap<>();
    recollections = new HashMap<>();
    dropped = new LinkedHashSet<>();
  }

  private void arrival(Payload.Arrival arrival) {
    Run run = arrival.run();
    ActiveRun activeRun = robots.get(run.robot());
    if (activeRun != null && activeRun.earlier().contains(run.number())) {
      drop(arrival, "a later run has begun");
      return;
    }
    boolean isNew = activeRun == null || !activeRun.run().isSameAs(run);
    if (activeRun == null && (hasPredecessor || !isFirst(arrival))) {
      recollection(run).hear(arrival);
      return;
    }
    if (isNew && !isFirst(arrival)) {
      drop(arrival, "it is not the run's first message here, and the latest is " + activeRun.run());
      return;
    }
    if (isNew) {
      recollections.remove(run.robot());
      activeRun = begin(run, activeRun);
    }
    activeRun.admission().receive(arrival, clock.nanos());
  }

  /**
   * A message of a run that is not the robot's latest counts for nothing. It may only have come
   * late; or somebody else sends it in this robot's name, and waits for answers.
   */
  private void drop(Payload.Arrival arrival, String why) {
    Run run = arrival.run();
    if (dropped.add(run)) {
      LOG.warn("dropped number {} of {}: {}; this is logged once", arrival.sequence(), run, why);
    } else {
      LOG.debug("dropped number {} of {}: {}", arrival.sequence(), run, why);
    }
    if (dropped.size() > DROPPED_REMEMBERED) {
      dropped.remove(dropped.iterator().next());
    }
  }

  /**
   * True of a run's first message. A dispatcher that gets a later one first has followed one that
   * died.
   */
  private static boolean isFirst(Payload.Arrival arrival) {
    boolean isEnd = arrival instanceof Payload.Arrival.OfEnd;
    return arrival.sequence() <= (isEnd ? 0 : 1);
  }

  private Recollection recollection(Run run) {
    Recollection asked = recollections.get(run.robot());
    if (asked == null || !asked.isOf(run)) {
      asked = new Recollection(run, settings, matchers, outputs, clock.nanos());
      recollections.put(run.robot(), asked);
    }
    return asked;
  }

  private void recollect(Payload message, Consumer<Recollection> what) {
    Recollection recollection = recollections.get(message.run().robot());
    if (recollection != null && recollection.isOf(message.run())) {
      what.accept(recollection);
      goOnIfOver(recollection, clock.nanos());
    }
  }

  private void goOnIfOver(Recollection recollection, long now) {
    if (!recollection.isOver(now)) {
      return;
    }
    recollections.remove(recollection.run().robot());
    List<Payload.Arrival> arrivals = recollection.said();
    boolean isBegun = arrivals.stream().anyMatch(DispatcherBolt::isFirst);
    if (recollection.isKnown() && !(isBegun && recollection.isAtItsFirst())) {
      LOG.warn("{} goes on with another dispatcher", recollection.run());
      Admission admission =
          new Admission(recollection.run(), filter, settings, matchers, outputs, now);
      robots.put(
          admission.run().robot(),
          new ActiveRun(admission, new ArrayDeque<>(recollection.earlierRuns())));
      admission.resume(recollection, nextRound, filter, now);
      nextRound += ROUNDS_A_RECOLLECTION;
    } else if (recollection.isEarlier() || (recollection.isDisplaced() && !isBegun)) {
      arrivals.forEach(message -> drop(message, "publishers know another run of this robot"));
      return;
    } else {
      begin(arrivals.get(0).run(), null).earlier().addAll(recollection.earlierRuns());
    }
    arrivals.forEach(this::arrival);
  }

  /**
   * A first message of a number that was not met begins a run, see the broker's package's rules.
   */
  private ActiveRun begin(Run named, ActiveRun before) {
    Deque<Long> earlier = new ArrayDeque<>();
    if (before != null) {
      before.admission().forget();
      earlier.addAll(before.earlier());
      earlier.add(before.run().number());
      if (earlier.size() > RUNS_REMEMBERED) {
        earlier.remove();
      }
    }
    Run run = named.begun(nextOrder++);
    LOG.info("{} begins", run);
    ActiveRun activeRun =
        new ActiveRun(
            new Admission(run, filter, settings, matchers, outputs, clock.nanos()), earlier);
    robots.put(run.robot(), activeRun);
    return activeRun;
  }

  private void dispatch(Payload message, Consumer<Admission> what) {
    ActiveRun activeRun = robots.get(message.run().robot());
    if (activeRun != null && activeRun.run().equals(message.run())) {
      what.accept(activeRun.admission());
    }
  }

  /** This task has failed, perhaps at what a robot sent, which names no run in its place. */
  private void failed(Payload.Failed failed) {
    ActiveRun activeRun = robots.get(failed.run().robot());
    if (activeRun != null && activeRun.run().isSameAs(failed.run())) {
      giveUp(activeRun.admission(), failed);
    }
  }

  private void giveUp(Admission admission, Payload.Failed failed) {
    LOG.warn("{} is given up: {}", failed.run(), failed.sentence());
    admission.fail(failed.sentence(), clock.nanos());
  }

  @Override
  void tick() {
    clock.tick();
    long now = clock.nanos();
    for (Recollection each : List.copyOf(recollections.values())) {
      attempts.runGuarded(
          each.run(),
          () -> {
            each.watch(now);
            goOnIfOver(each, now);
          });
    }
    for (Iterator<ActiveRun> all = robots.values().iterator(); all.hasNext(); ) {
      Admission admission = all.next().admission();
      boolean gone = isGone(admission, now);
      attempts.runGuarded(
          admission.run(),
          () -> {
            admission.watch(now);
            if (gone) {
              admission.forget();
            }
          });
      if (gone) {
        all.remove();
      }
    }
    if (robotRegistryWatch != null) {
      robotRegistryWatch.keep(robots.keySet());
    }
  }

  private boolean isGone(Admission admission, long now) {
    String robot = admission.run().robot();
    long silent = admission.silentNanos(now);
    // A robot that charges sends nothing, and drives on with the map that it has.
    boolean isKept =
        robotRegistryWatch != null && robotRegistryWatch.isThere(robot) && admission.canGoOn();
    if (!isKept && silent > TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds())) {
      LOG.info("{} has been silent for long and is forgotten", admission.run());
      return true;
    }
    if (robotRegistryWatch != null && robotRegistryWatch.isGone(robot, silent, System.nanoTime())) {
      LOG.info("{} has left the registry and is released", admission.run());
      return true;
    }
    return false;
  }

  @Override
  void stop() {
    if (robotRegistryWatch != null) {
      robotRegistryWatch.close();
    }
  }
}
