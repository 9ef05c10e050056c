package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.connection.Receiver.Receipt;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.arrival.PendingAcks;
import org.cartostream.topology.arrival.RetryQueue;
import org.cartostream.topology.bolt.Bolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.AdmissionLock;
import org.cartostream.topology.metrics.Readiness;
import org.cartostream.topology.run.RobotRegistryWatch;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.FencingToken;
import org.cartostream.topology.task.LibraryVersions;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dispatcher: a bolt that admits the readings of many robots to their filters. There is one
 * dispatcher at a time; if it was cut off and another took its place, the {@link FencingToken}
 * decides whose messages count.
 *
 * <p>A robot needs no announcement: its first reading begins its run, or resumes the run from a
 * checkpoint if there is one. A robot is forgotten when it has been silent for long and is not in
 * the registry; sooner if it has left the registry.
 *
 * <p>Owns the {@link RobotRuns}, the {@link PauseTolerantClock} that measures time-outs of robots
 * and tasks, the {@link ArrivalReceiver} of readings and their {@link PendingAcks}, and the
 * service's {@link RobotRegistryWatch}.
 */
public final class DispatcherBolt extends Bolt<Component.Dispatcher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherBolt.class);

  /** Silence after which {@code cluster health} shows a topology that is for one robot, seconds. */
  private static final int SILENT_SECONDS = 60;

  private transient StreamPorts<Component.Dispatcher> sendPorts;
  private transient DispatcherOutputs outputs;
  private transient StreamOutput.Direct<Payload.Arrival> arrivals;
  private transient TopologySettings settings;
  private transient RobotRuns runs;
  private transient PendingAcks pendingAcks;
  private transient RetryQueue retryQueue;

  /** Receiver of messages from the broker; null in tests, which emit them directly. */
  private transient ArrivalReceiver receiver;

  /** Watch on the registry of robots; null without ZooKeeper. */
  private transient RobotRegistryWatch robotRegistryWatch;

  private transient PauseTolerantClock clock;

  /**
   * Time of the latest arrival, by {@code clock}; a topology for one robot ends when that time is
   * long past.
   */
  private transient long latestArrivalAt;

  public DispatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings, Component.Dispatcher.class);
  }

  @Override
  public void wire(StreamPorts<Component.Dispatcher> streamPorts) {
    outputs = new DispatcherOutputs(streamPorts);
    arrivals = streamPorts.out(Streams.ARRIVALS);
    streamPorts.on(Streams.ARRIVALS, this::arrived);
    streamPorts.on(Streams.READY, this::handle);
    streamPorts.on(Streams.RESPONSE_SENT, this::handle);
    streamPorts.on(Streams.MAP_MEMORY, this::handle);
    streamPorts.on(Streams.STORED, this::handle);
    streamPorts.on(Streams.RESTORED, this::handle);
    streamPorts.on(Streams.FAILED, this::handle);
    streamPorts.on(
        Streams.MEMORY_PRESSURE, message -> runs.refuseLargest(message.sentence(), clock.nanos()));
    streamPorts.onFailure(
        (run, reading, how) ->
            runs.failed(
                Payload.Failed.of(run, Component.Dispatcher.class, reading, how), clock.nanos()));
    sendPorts = streamPorts;
  }

  @Override
  public void start(TaskContext taskContext, TaskCheckpoints taskCheckpoints) {
    LOG.info("loaded: {}", LibraryVersions.versions());
    Readiness ready = new Readiness("service_broker");
    start(
        taskContext,
        taskCheckpoints,
        FencingToken.next(taskContext),
        new PauseTolerantClock(System::nanoTime),
        RobotRegistryWatch.of(settings(), taskContext));
    receiver = ArrivalReceiver.open(settings(), arrivals, pendingAcks, ready);
  }

  /**
   * Starts the dispatcher.
   *
   * @param term fencing token of this dispatcher, greater than those of earlier ones
   * @param awake clock that measures time-outs
   * @param registryWatch watch on the registry of robots; null without ZooKeeper
   */
  public void start(
      TaskContext taskContext,
      TaskCheckpoints taskCheckpoints,
      long term,
      PauseTolerantClock awake,
      RobotRegistryWatch registryWatch) {
    clock = awake;
    robotRegistryWatch = registryWatch;
    sendPorts.setFencingToken(term);
    settings = settings().topology();
    latestArrivalAt = clock.nanos();
    pendingAcks = new PendingAcks();
    AdmissionLock admissionLock =
        new AdmissionLock(
            (run, reading) -> outputs.pauseMaps.emit(new Payload.PauseMaps(run, reading)));
    DispatcherContext context =
        new DispatcherContext(
            settings(), taskContext.matchers(), taskCheckpoints, outputs, admissionLock);
    runs = new RobotRuns(context, pendingAcks, term);
    retryQueue = new RetryQueue(pendingAcks, this::take);
  }

  /**
   * Keeps the receipt of a message that does not come from the broker, until the message is in a
   * checkpoint.
   */
  public void keep(Payload.Arrival arrival, Receipt receipt) {
    pendingAcks.add(arrival.run(), ArrivalReceiver.number(arrival), receipt);
  }

  private void arrived(Payload.Arrival arrival) {
    if (receiver != null) {
      receiver.arrived(arrival.run());
    }
    latestArrivalAt = clock.nanos();
    retryQueue.take(arrival);
  }

  private void take(Payload.Arrival arrival) {
    String why = runs.whyIgnored(arrival);
    if (!why.isEmpty()) {
      retryQueue.drop(arrival, why);
      return;
    }
    runs.receive(arrival, clock.nanos());
    // Early enough: at the prefetch limit the broker delivers nothing more, and robots wait.
    if (pendingAcks.count() > settings.prefetchMessages() / 2) {
      runs.makeRoom(clock.nanos());
    }
  }

  private void handle(Payload message) {
    runs.handle(message, clock.nanos());
  }

  @Override
  public void tick() {
    clock.tick();
    long now = clock.nanos();
    runs.watch(sendPorts, each -> isGone(each, now), now);
    retryQueue.takeAgain(sendPorts);
    if (receiver != null) {
      receiver.tick();
    }
    if (robotRegistryWatch != null) {
      robotRegistryWatch.keep(runs.robots());
      robotRegistryWatch.renew(runs.checkpointAgesSeconds(), System.nanoTime());
    }
    if (settings.endsWithRobot() && runs.robots().isEmpty()) {
      endWithRobot(now);
    }
    if (errorReporter() != null && errorReporter().isDue(now)) {
      errorReporter().report(troubles(now), now);
    }
  }

  @Override
  public List<Run> runs() {
    return runs.runs();
  }

  /** Returns sentences for the operator about the state of the runs. */
  private List<String> troubles(long now) {
    List<String> troubles = new ArrayList<>(receiver == null ? List.of() : receiver.troubles());
    long silent = TimeUnit.NANOSECONDS.toSeconds(now - latestArrivalAt);
    if (settings.endsWithRobot()
        && silent > Math.min(SILENT_SECONDS, settings.robotTimeoutSeconds() / 2)) {
      troubles.add(
          "nothing has come for %d s; this topology is for one robot, and ends at %d s"
              .formatted(silent, settings.robotTimeoutSeconds()));
    }
    troubles.addAll(runs.troubles(now));
    return troubles;
  }

  /**
   * Ends a topology for one robot that has been silent for long: the process that should have ended
   * it is gone.
   */
  private void endWithRobot(long now) {
    long seconds = settings.robotTimeoutSeconds();
    if (now - latestArrivalAt > TimeUnit.SECONDS.toNanos(seconds)) {
      LOG.warn("nothing has come for {} s: this topology was for one robot, and ends", seconds);
      latestArrivalAt = now; // Asks Nimbus again after the same time.
      endTopology();
    }
  }

  private boolean isGone(RunLifecycle lifecycle, long now) {
    String robot = lifecycle.run().robot();
    long silent = lifecycle.silentNanos(now);
    // A robot that charges its battery sends nothing, and drives on with its map later.
    boolean isKept =
        robotRegistryWatch != null && robotRegistryWatch.isThere(robot) && lifecycle.canGoOn();
    if (!isKept && silent > TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds())) {
      LOG.info("{} has been silent for long and is forgotten", lifecycle.run());
      return true;
    }
    if (robotRegistryWatch != null && robotRegistryWatch.isGone(robot, silent, System.nanoTime())) {
      LOG.info("{} has left the registry and is released", lifecycle.run());
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
