package org.cartostream.topology.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.broker.connection.Receiver.Receipt;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.arrival.Receipts;
import org.cartostream.topology.arrival.UntakenArrivals;
import org.cartostream.topology.bolt.Bolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.AdmissionTurns;
import org.cartostream.topology.run.RobotRegistryWatch;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.stream.TopologyRefusal;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.FencingToken;
import org.cartostream.topology.task.LibraryVersions;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the readings of many robots to their filters. There is one dispatcher; where it was cut
 * off and another took its place, the {@link FencingToken} tells whose messages count.
 *
 * <p>A robot needs no announcement: its first reading begins its run, or has it go on from its
 * checkpoint where there is one. A robot is released when it has been silent for long and is not in
 * the registry; sooner if it has left that.
 *
 * <p>Owns one {@link RunDispatcher} per robot, that of its latest run; the epochs of the runs, the
 * {@link PauseTolerantClock} by which robots and tasks are waited for, the connection by which
 * readings come and their {@link Receipts}, and the service's {@link RobotRegistryWatch}.
 */
public final class DispatcherBolt extends Bolt<Component.Dispatcher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherBolt.class);

  /** Number of earlier runs of a robot that are recognised if a message of them comes late. */
  private static final int RUNS_REMEMBERED = 16;

  /** A topology for one robot that has had nothing for so long is shown by {@code health}. */
  private static final int SILENT_SECONDS = 60;

  /** Number of epochs that may begin with one dispatcher. */
  static final long RUNS_A_TERM = 1L << 32;

  private transient StreamPorts<Component.Dispatcher> attempts;
  private transient DispatcherOutputs outputs;
  private transient StreamOutput.Direct<Payload.Arrival> arrivals;
  private transient TopologySettings settings;
  private transient int matchers;
  private transient TaskCheckpoints checkpoints;
  private transient Map<String, ActiveRun> robots;
  private transient AdmissionTurns turns;
  private transient Receipts receipts;
  private transient ReplayBuffer.MemoryBudget replayMemory;
  private transient UntakenArrivals untaken;

  /** Null where messages come by other ways. */
  private transient ArrivalReceiver receiver;

  /** Null where there is no ZooKeeper. */
  private transient RobotRegistryWatch robotRegistryWatch;

  private transient PauseTolerantClock clock;
  private transient long fencingToken;
  private transient long nextEpoch;

  /** By the clock; the topology may be for one robot, see {@link #endWithRobot}. */
  private transient long latestArrivalAt;

  /** A robot's latest run with its checkpoints, and the numbers of some runs before it. */
  private record ActiveRun(
      RunDispatcher dispatcher, CheckpointCoordinator checkpoint, Deque<Long> earlier) {
    Run run() {
      return dispatcher.run();
    }
  }

  public DispatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings, Component.Dispatcher.class);
  }

  @Override
  public void wire(StreamPorts<Component.Dispatcher> streamPorts) {
    outputs = new DispatcherOutputs(streamPorts);
    arrivals = streamPorts.out(Streams.ARRIVALS);
    streamPorts.on(Streams.ARRIVALS, this::arrived);
    streamPorts.on(Streams.READY, this::done);
    streamPorts.on(Streams.ANSWERED, this::done);
    streamPorts.on(Streams.MAP_DRAWN, map -> dispatch(map, to -> to.memoryQuota().drawn(map)));
    streamPorts.on(Streams.MEMORY_SHORT, message -> refuseLargest(message.sentence()));
    streamPorts.on(
        Streams.STORED, message -> dispatch(message, to -> to.stored(message, clock.nanos())));
    streamPorts.on(
        Streams.RESTORED, message -> dispatch(message, to -> to.restored(message, clock.nanos())));
    streamPorts.on(
        Streams.FAILED, message -> dispatch(message, to -> to.failed(message, clock.nanos())));
    streamPorts.onFailure(
        (run, reading, how) ->
            failed(Payload.Failed.of(run, Component.Dispatcher.class, reading, how)));
    attempts = streamPorts;
  }

  @Override
  public void start(TaskContext taskContext, TaskCheckpoints taskCheckpoints) {
    LOG.info("loaded: {}", LibraryVersions.versions());
    start(
        taskContext,
        taskCheckpoints,
        FencingToken.next(taskContext),
        new PauseTolerantClock(System::nanoTime),
        RobotRegistryWatch.of(settings(), taskContext));
    receiver = ArrivalReceiver.open(settings(), arrivals, receipts);
  }

  /**
   * Starts: its epochs and messages come after those of dispatchers of earlier terms.
   *
   * @param registryWatch null where there is no ZooKeeper
   */
  public void start(
      TaskContext taskContext,
      TaskCheckpoints taskCheckpoints,
      long term,
      PauseTolerantClock awake,
      RobotRegistryWatch registryWatch) {
    clock = awake;
    robotRegistryWatch = registryWatch;
    checkpoints = taskCheckpoints;
    attempts.setFencingToken(term);
    fencingToken = term;
    nextEpoch = term * RUNS_A_TERM;
    settings = settings().topology();
    latestArrivalAt = clock.nanos();
    matchers = taskContext.matchers();
    robots = new HashMap<>();
    turns = new AdmissionTurns(outputs::holdMaps);
    receipts = new Receipts();
    replayMemory = new ReplayBuffer.MemoryBudget(settings().checkpoint().heldBytes());
    untaken = new UntakenArrivals(receipts, this::take);
  }

  /** A message comes by another way than from the broker, and is not in a checkpoint yet. */
  public void keep(Payload.Arrival arrival, Receipt receipt) {
    receipts.add(arrival.run(), ArrivalReceiver.number(arrival), receipt);
  }

  private void arrived(Payload.Arrival arrival) {
    if (receiver != null) {
      receiver.arrived(arrival.run());
    }
    latestArrivalAt = clock.nanos();
    untaken.take(arrival);
  }

  /**
   * A message of a run that is not the robot's latest counts for nothing. It may only have come
   * late; or somebody else sends it in this robot's name, and waits for answers.
   */
  private void take(Payload.Arrival arrival) {
    Run run = arrival.run();
    ActiveRun activeRun = robots.get(run.robot());
    if (activeRun != null && activeRun.earlier().contains(run.number())) {
      untaken.drop(arrival, "a later run has begun");
      return;
    }
    if (activeRun != null && !activeRun.run().isSameAs(run) && !ArrivalReceiver.isFirst(arrival)) {
      untaken.drop(
          arrival, "it is not the run's first message here, and the latest is " + activeRun.run());
      return;
    }
    if (activeRun == null || !activeRun.run().isSameAs(run)) {
      activeRun = begin(run, activeRun);
    }
    activeRun.dispatcher().receive(arrival, clock.nanos());
    makeRoomIfMuchIsHeld();
  }

  /**
   * A first message of a number that was not met begins a run, see the broker's package's rules. If
   * that fails there is none, the one before is still there, and it is begun again.
   */
  private ActiveRun begin(Run named, ActiveRun before) {
    Run run = named.begun(nextEpoch++);
    LOG.info("{} begins", run);
    boolean isAgain = receipts.haveRedelivered(run);
    CheckpointCoordinator checkpoint =
        new CheckpointCoordinator(run, settings(), matchers, checkpoints, outputs, turns, isAgain);
    // The predecessor may have been of another service, which counted by itself.
    boolean hasPredecessor = fencingToken > 1 || isAgain;
    ReplayBuffer replayBuffer = new ReplayBuffer(run, receipts, replayMemory);
    RunDispatcher dispatcher =
        new RunDispatcher(
            run, settings(), outputs, checkpoint, replayBuffer, this::nextEpoch, hasPredecessor);
    dispatcher.open(clock.nanos());
    ActiveRun activeRun = new ActiveRun(dispatcher, checkpoint, forget(before));
    checkpoint.showFigures();
    dispatcher.memoryQuota().showFigures();
    robots.put(run.robot(), activeRun);
    return activeRun;
  }

  /** Lets go of a robot's run, if it had one; gives the numbers that are not to begin again. */
  private static Deque<Long> forget(ActiveRun before) {
    Deque<Long> earlier = new ArrayDeque<>();
    if (before != null) {
      before.dispatcher().forget();
      earlier.addAll(before.earlier());
      earlier.add(before.run().number());
      if (earlier.size() > RUNS_REMEMBERED) {
        earlier.remove();
      }
    }
    return earlier;
  }

  /**
   * The next epoch. A checkpoint may be of an earlier service, whose dispatchers counted by
   * themselves: then it goes on behind that. Not behind one of this service's own, which is of an
   * earlier epoch: the next dispatcher, which need not find it, would begin the same epochs again.
   *
   * @param foundEpoch of the checkpoint that was found; 0 for none
   */
  private long nextEpoch(long foundEpoch) {
    if (foundEpoch >= nextEpoch) {
      long term = foundEpoch / RUNS_A_TERM + fencingToken;
      nextEpoch = Math.max(nextEpoch, term * RUNS_A_TERM);
    }
    return nextEpoch++;
  }

  /** Makes room before the prefetch limit: at it the broker delivers nothing, and robots wait. */
  private void makeRoomIfMuchIsHeld() {
    if (receipts.count() > settings.prefetchMessages() / 2) {
      robots.values().stream()
          .map(ActiveRun::dispatcher)
          .max(Comparator.comparingInt(RunDispatcher::receipts))
          .ifPresent(dispatcher -> dispatcher.makeRoom(clock.nanos()));
    }
  }

  /** A process runs out of memory: whose maps take most has its readings refused. */
  private void refuseLargest(String why) {
    robots.values().stream()
        .map(ActiveRun::dispatcher)
        .filter(dispatcher -> dispatcher.canGoOn() && !dispatcher.memoryQuota().isExceeded())
        .max(Comparator.comparingLong(dispatcher -> dispatcher.memoryQuota().bytes()))
        .ifPresent(
            largest -> {
              LOG.warn("{} is refused: {}", largest.run(), why);
              largest.refuse(TopologyRefusal.MEMORY_SHORT.because(why), clock.nanos());
            });
  }

  private void dispatch(Payload message, Consumer<RunDispatcher> what) {
    ActiveRun activeRun = robots.get(message.run().robot());
    if (activeRun != null && activeRun.run().equals(message.run())) {
      what.accept(activeRun.dispatcher());
    }
  }

  private void done(Payload.Done message) {
    dispatch(message, to -> to.done(message, clock.nanos()));
  }

  /** This task has failed, perhaps at what a robot sent, which names no run in its place. */
  private void failed(Payload.Failed failed) {
    ActiveRun activeRun = robots.get(failed.run().robot());
    if (activeRun != null && activeRun.run().isSameAs(failed.run())) {
      activeRun.dispatcher().failed(failed, clock.nanos());
    }
  }

  @Override
  public void tick() {
    clock.tick();
    long now = clock.nanos();
    for (Iterator<ActiveRun> all = robots.values().iterator(); all.hasNext(); ) {
      RunDispatcher dispatcher = all.next().dispatcher();
      boolean gone = isGone(dispatcher, now);
      attempts.runGuarded(
          dispatcher.run(),
          () -> {
            dispatcher.watch(now);
            if (gone) {
              dispatcher.forget();
            }
          });
      if (gone) {
        all.remove();
      }
    }
    untaken.takeAgain(attempts);
    if (receiver != null) {
      receiver.tick();
    }
    if (robotRegistryWatch != null) {
      robotRegistryWatch.keep(robots.keySet());
      robotRegistryWatch.renew(
          robots.values().stream()
              .filter(each -> each.dispatcher().canGoOn())
              .mapToDouble(each -> each.checkpoint().ageSeconds()),
          System.nanoTime());
    }
    if (settings.endsWithRobot() && robots.isEmpty()) {
      endWithRobot(now);
    }
    if (troubleReports() != null && troubleReports().isDue(now)) {
      troubleReports().report(troubles(now), now);
    }
  }

  @Override
  public List<Run> runs() {
    return robots.values().stream().map(ActiveRun::run).toList();
  }

  /** What an operator wants to know of the runs, in sentences. */
  private List<String> troubles(long now) {
    List<String> troubles = new ArrayList<>(receiver == null ? List.of() : receiver.troubles());
    long silent = TimeUnit.NANOSECONDS.toSeconds(now - latestArrivalAt);
    if (settings.endsWithRobot()
        && silent > Math.min(SILENT_SECONDS, settings.robotTimeoutSeconds() / 2)) {
      troubles.add(
          "nothing has come for %d s; this topology is for one robot, and ends at %d s"
              .formatted(silent, settings.robotTimeoutSeconds()));
    }
    for (ActiveRun each : robots.values()) {
      String why = each.checkpoint().notDurable();
      if (!why.isEmpty()) {
        troubles.add(each.run() + " is not durable " + why);
      }
      String waiting = each.dispatcher().trouble(now);
      if (!waiting.isEmpty()) {
        troubles.add(each.run() + " " + waiting);
      }
      String refused = each.dispatcher().memoryQuota().trouble();
      if (!refused.isEmpty()) {
        troubles.add(each.run() + " " + refused);
      }
    }
    return troubles;
  }

  /** Ends a topology for one robot that is silent: whoever would have ended it is gone. */
  private void endWithRobot(long now) {
    long seconds = settings.robotTimeoutSeconds();
    if (now - latestArrivalAt > TimeUnit.SECONDS.toNanos(seconds)) {
      LOG.warn("nothing has come for {} s: this topology was for one robot, and ends", seconds);
      latestArrivalAt = now; // Nimbus is asked again if it does not answer.
      endTopology();
    }
  }

  private boolean isGone(RunDispatcher dispatcher, long now) {
    String robot = dispatcher.run().robot();
    long silent = dispatcher.silentNanos(now);
    // A robot that charges sends nothing, and drives on with the map that it has.
    boolean isKept =
        robotRegistryWatch != null && robotRegistryWatch.isThere(robot) && dispatcher.canGoOn();
    if (!isKept && silent > TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds())) {
      LOG.info("{} has been silent for long and is forgotten", dispatcher.run());
      return true;
    }
    if (robotRegistryWatch != null && robotRegistryWatch.isGone(robot, silent, System.nanoTime())) {
      LOG.info("{} has left the registry and is released", dispatcher.run());
      return true;
    }
    return false;
  }

  @Override
  public void stop() {
    if (receiver != null) {
      receiver.close();
    }
    if (robotRegistryWatch != null) {
      robotRegistryWatch.close();
    }
  }
}
