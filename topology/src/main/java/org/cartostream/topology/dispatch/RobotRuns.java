package org.cartostream.topology.dispatch;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.arrival.PendingAcks;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.TopologyRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of all robots. A robot's first message with a new run number begins a run, which
 * replaces the robot's previous run. Messages of any other run than the latest are ignored: they
 * may have come late, or another sender uses the same robot's name.
 *
 * <p>Owns a {@link RunLifecycle} for each robot, the numbers of some of its earlier runs, and the
 * counter of epochs.
 */
final class RobotRuns {

  private static final Logger LOG = LoggerFactory.getLogger(RobotRuns.class);

  /** Number of earlier runs of a robot that are recognised if a message of them comes late. */
  private static final int MAX_EARLIER_RUNS = 16;

  private final DispatcherContext context;
  private final PendingAcks pendingAcks;
  private final ReadingLedger.MemoryBudget ledgerMemory;
  private final long term;
  private final Map<String, ActiveRun> robots = new HashMap<>();
  private final EpochCounter epochs;

  /** A robot's latest run, and the numbers of some earlier ones. */
  private record ActiveRun(RunLifecycle lifecycle, Deque<Long> earlier) {
    Run run() {
      return lifecycle.run();
    }
  }

  /**
   * @param pendingAcks receipts of the robots' messages
   * @param term the dispatcher's fencing token, greater than those of earlier dispatchers
   */
  RobotRuns(DispatcherContext context, PendingAcks pendingAcks, long term) {
    this.context = context;
    this.pendingAcks = pendingAcks;
    this.term = term;
    this.epochs = new EpochCounter(term);
    this.ledgerMemory = new ReadingLedger.MemoryBudget(context.settings().checkpoint().heldBytes());
  }

  // --- beginning and ending ----------------------------------------------------------------------

  /** Returns why a robot's message is dropped without an answer, for people; empty if it is not. */
  String whyIgnored(Arrival arrival) {
    Run run = arrival.run();
    ActiveRun latest = robots.get(run.robot());
    if (latest == null || latest.run().isSameAs(run)) {
      return "";
    }
    if (latest.earlier().contains(run.number())) {
      return "a later run has begun";
    }
    return ArrivalReceiver.isFirst(arrival)
        ? ""
        : "it is not the run's first message here, and the latest is " + latest.run();
  }

  /**
   * Takes a message that is not ignored: one that begins a run, or one of the robot's latest run.
   */
  void receive(Arrival arrival, long now) {
    Run run = arrival.run();
    ActiveRun latest = robots.get(run.robot());
    if (latest == null || !latest.run().isSameAs(run)) {
      latest = begin(run, latest, now);
    }
    latest.lifecycle().handle(arrival, now);
  }

  /**
   * Begins a run. If that throws, the previous run stays, and the next message begins the new one
   * again.
   */
  private ActiveRun begin(Run named, ActiveRun before, long now) {
    Run run = named.begun(epochs.next());
    LOG.info("{} begins", run);
    boolean isRedelivered = pendingAcks.haveRedelivered(run);
    // Readings may also be redelivered from another service, which has fencing tokens of its own.
    boolean mayBeAnswered = term > 1 || isRedelivered;
    ReadingLedger ledger =
        new ReadingLedger(run, context.settings().topology(), pendingAcks, ledgerMemory);
    RunLifecycle lifecycle =
        new RunLifecycle(run, context, ledger, epochs::nextAfter, isRedelivered, mayBeAnswered);
    lifecycle.open(now);
    ActiveRun active = new ActiveRun(lifecycle, forget(before));
    lifecycle.showFigures();
    robots.put(run.robot(), active);
    return active;
  }

  /**
   * Forgets a robot's previous run, if there is one; returns the numbers of runs that must not
   * begin again.
   */
  private static Deque<Long> forget(ActiveRun before) {
    Deque<Long> earlier = new ArrayDeque<>();
    if (before != null) {
      before.lifecycle().forget();
      earlier.addAll(before.earlier());
      earlier.add(before.run().number());
      if (earlier.size() > MAX_EARLIER_RUNS) {
        earlier.remove();
      }
    }
    return earlier;
  }

  // --- events ------------------------------------------------------------------------------------

  /** Takes a component's message, if it is about the latest epoch of a robot's latest run. */
  void handle(Payload event, long now) {
    ActiveRun active = robots.get(event.run().robot());
    if (active != null && active.run().equals(event.run())) {
      active.lifecycle().handle(event, now);
    }
  }

  /** Takes a failure of the dispatcher itself, perhaps at a robot's message, which has no epoch. */
  void failed(Payload.Failed failed, long now) {
    ActiveRun active = robots.get(failed.run().robot());
    if (active != null && active.run().isSameAs(failed.run())) {
      active.lifecycle().handle(failed, now);
    }
  }

  /**
   * Lets each run check its time-outs; called at each tick.
   *
   * @param guard catches exceptions of one run, so that they do not affect the others
   * @param isGone returns true for runs that are to be forgotten
   */
  void watch(StreamPorts<?> guard, Predicate<RunLifecycle> isGone, long now) {
    for (Iterator<ActiveRun> all = robots.values().iterator(); all.hasNext(); ) {
      RunLifecycle lifecycle = all.next().lifecycle();
      boolean gone = isGone.test(lifecycle);
      guard.runGuarded(
          lifecycle.run(),
          () -> {
            lifecycle.watch(now);
            if (gone) {
              lifecycle.forget();
            }
          });
      if (gone) {
        all.remove();
      }
    }
  }

  /** Makes room at the broker: the run with most unacknowledged messages acknowledges some. */
  void makeRoom(long now) {
    lifecycles()
        .max(Comparator.comparingInt(RunLifecycle::pendingAcks))
        .ifPresent(max -> max.makeRoom(now));
  }

  /** Refuses the readings of the run whose maps take most memory, as a process runs out of it. */
  void refuseLargest(String why, long now) {
    lifecycles()
        .filter(each -> each.canGoOn() && !each.isRefused())
        .max(Comparator.comparingLong(RunLifecycle::mapBytes))
        .ifPresent(
            largest -> {
              LOG.warn("{} is refused: {}", largest.run(), why);
              largest.refuse(TopologyRefusal.MEMORY_SHORT.because(why), now);
            });
  }

  // --- queries -----------------------------------------------------------------------------------

  private Stream<RunLifecycle> lifecycles() {
    return robots.values().stream().map(ActiveRun::lifecycle);
  }

  /** Returns the names of the robots that have runs. */
  Set<String> robots() {
    return robots.keySet();
  }

  /** Returns the latest run of each robot. */
  List<Run> runs() {
    return robots.values().stream().map(ActiveRun::run).toList();
  }

  /**
   * Returns, for each run that can go on, the time since all of its readings were in a checkpoint,
   * seconds.
   */
  DoubleStream checkpointAgesSeconds() {
    return lifecycles().filter(RunLifecycle::canGoOn).mapToDouble(RunLifecycle::ageSeconds);
  }

  /** Returns sentences for the operator about the state of the runs. */
  List<String> troubles(long now) {
    return lifecycles().flatMap(each -> each.troubles(now).stream()).toList();
  }
}
