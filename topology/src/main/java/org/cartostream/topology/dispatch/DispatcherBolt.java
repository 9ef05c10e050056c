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
 * dispatcher; where it was cut off and another took its place, the {@link FencingToken} tells whose
 * messages count.
 *
 * <p>A robot needs no announcement: its first reading begins its run, or has it go on from its
 * checkpoint where there is one. A robot is released when it has been silent for long and is not in
 * the registry; sooner if it has left that.
 *
 * <p>Owns the {@link RobotRuns}, the {@link PauseTolerantClock} by which robots and tasks are
 * waited for, the connection by which readings come and their {@link PendingAcks}, and the
 * service's {@link RobotRegistryWatch}.
 */
public final class DispatcherBolt extends Bolt<Component.Dispatcher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherBolt.class);

  /** A topology for one robot that has had nothing for so long is shown by {@code health}. */
  private static final int SILENT_SECONDS = 60;

  private transient StreamPorts<Component.Dispatcher> sendPorts;
  private transient DispatcherOutputs outputs;
  private transient StreamOutput.Direct<Payload.Arrival> arrivals;
  private transient TopologySettings settings;
  private transient RobotRuns runs;
  private transient PendingAcks pendingAcks;
  private transient RetryQueue retryQueue;

  /** Null where messages come by other ways. */
  private transient ArrivalReceiver receiver;

  /** Null where there is no ZooKeeper. */
  private transient RobotRegistryWatch robotRegistryWatch;

  private transient PauseTolerantClock clock;

  /**
   * Time of the latest arrival by the clock; the topology may be for one robot, see {@link
   * #endWithRobot}.
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

  /** A message comes by another way than from the broker, and is not in a checkpoint yet. */
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
    // Before the prefetch limit: at it the broker delivers nothing, and robots wait.
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

  /** Ends a topology for one robot that is silent: whoever would have ended it is gone. */
  private void endWithRobot(long now) {
    long seconds = settings.robotTimeoutSeconds();
    if (now - latestArrivalAt > TimeUnit.SECONDS.toNanos(seconds)) {
      LOG.warn("nothing has come for {} s: this topology was for one robot, and ends", seconds);
      latestArrivalAt = now; // Nimbus is asked again if it does not answer.
      endTopology();
    }
  }

  private boolean isGone(RunLifecycle lifecycle, long now) {
    String robot = lifecycle.run().robot();
    long silent = lifecycle.silentNanos(now);
    // A robot that charges sends nothing, and drives on with the map that it has.
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
