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
 * The runs of all robots. A robot's first message of a number that was not met begins a run, which
 * takes the place of the robot's run before. A message of a run that is not the robot's latest
 * counts for nothing: it may only have come late; or somebody else sends it in this robot's name,
 * and waits for answers.
 *
 * <p>Owns a {@link RunLifecycle} for each robot, the numbers of some runs before it, and the
 * epochs.
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

  /** A robot's latest run, and the numbers of some before it. */
  private record ActiveRun(RunLifecycle lifecycle, Deque<Long> earlier) {
    Run run() {
      return lifecycle.run();
    }
  }

  /**
   * @param pendingAcks of the robots' messages
   * @param term the dispatcher's fencing token: epochs come after those of earlier terms
   */
  RobotRuns(DispatcherContext context, PendingAcks pendingAcks, long term) {
    this.context = context;
    this.pendingAcks = pendingAcks;
    this.term = term;
    this.epochs = new EpochCounter(term);
    this.ledgerMemory = new ReadingLedger.MemoryBudget(context.settings().checkpoint().heldBytes());
  }

  // --- beginning and ending ----------------------------------------------------------------------

  /** Why a robot's message is dropped without an answer, for people; empty if it counts. */
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

  /** Takes a message of a robot that counts: it begins a run, or is of the latest one. */
  void receive(Arrival arrival, long now) {
    Run run = arrival.run();
    ActiveRun latest = robots.get(run.robot());
    if (latest == null || !latest.run().isSameAs(run)) {
      latest = begin(run, latest, now);
    }
    latest.lifecycle().handle(arrival, now);
  }

  /**
   * Begins a run; if that fails there is no new one, the one before is still there, and it is begun
   * again.
   */
  private ActiveRun begin(Run named, ActiveRun before, long now) {
    Run run = named.begun(epochs.next());
    LOG.info("{} begins", run);
    boolean isRedelivered = pendingAcks.haveRedelivered(run);
    // The predecessor may have been of another service, which counted by itself.
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

  /** Lets go of a robot's run, if it had one; gives the numbers that are not to begin again. */
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

  /** Takes a component's message, if it is of the latest epoch of a robot's latest run. */
  void handle(Payload event, long now) {
    ActiveRun active = robots.get(event.run().robot());
    if (active != null && active.run().equals(event.run())) {
      active.lifecycle().handle(event, now);
    }
  }

  /** The dispatcher has failed, perhaps at what a robot sent, which names no epoch. */
  void failed(Payload.Failed failed, long now) {
    ActiveRun active = robots.get(failed.run().robot());
    if (active != null && active.run().isSameAs(failed.run())) {
      active.lifecycle().handle(failed, now);
    }
  }

  /**
   * A tick: has each run look at the time.
   *
   * @param guard what one run fails at does not concern the others
   * @param isGone true for runs that are to be forgotten
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

  /** The broker keeps much: the run of which it keeps most makes room. */
  void makeRoom(long now) {
    lifecycles()
        .max(Comparator.comparingInt(RunLifecycle::pendingAcks))
        .ifPresent(max -> max.makeRoom(now));
  }

  /** A process runs out of memory: whose maps take most has its readings refused. */
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

  // --- what others want to know ------------------------------------------------------------------

  private Stream<RunLifecycle> lifecycles() {
    return robots.values().stream().map(ActiveRun::lifecycle);
  }

  /** Names of the robots that have runs. */
  Set<String> robots() {
    return robots.keySet();
  }

  /** The latest run of each robot. */
  List<Run> runs() {
    return robots.values().stream().map(ActiveRun::run).toList();
  }

  /**
   * Returns for each run that can go on the seconds since all that had come was in a checkpoint.
   */
  DoubleStream checkpointAgesSeconds() {
    return lifecycles().filter(RunLifecycle::canGoOn).mapToDouble(RunLifecycle::ageSeconds);
  }

  /** Returns sentences for the operator about the state of the runs. */
  List<String> troubles(long now) {
    return lifecycles().flatMap(each -> each.troubles(now).stream()).toList();
  }
}
