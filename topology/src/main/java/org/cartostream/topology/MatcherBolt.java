package org.cartostream.topology;

import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.cartostream.slam.mapping.Partition;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.transfer.ParticleTransfer;
import org.cartostream.slam.transfer.TaskLayout;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.LatestRunMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.ActiveTasks;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that holds particles, whatever the {@link Mode}.
 *
 * <p>Owns one {@link PartitionWorker} per robot, and particles that are to be in one ({@link
 * Nursery}). A task that begins in the middle of a run (after its worker died) has none of its
 * particles and stays silent until it is asked: fresh particles would silently spoil the map. It is
 * given copies of those that others have, see {@link Mending}.
 *
 * @param <X> how weights and particles are exchanged with other tasks
 */
abstract class MatcherBolt<X extends ParticleExchange> extends Bolt<Component.Matchers> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MatcherBolt.class);

  private final SerializedSettings<ServiceSettings> serializedSettings;

  private transient ServiceSettings settings;
  private transient TaskContext taskContext;
  private transient LatestRunMap<PartitionWorker<X>> workers;
  private transient LatestRunMap<Nursery> nurseries;
  private transient IdleRunDetector idleRunDetector;
  private transient ActiveTasks watching;
  private transient IntSupplier active;
  private transient boolean worksAhead;
  private transient PartitionWorker.Outputs outputs;
  private transient StreamOutput<Payload.Present> presents;
  private transient StreamOutput<Payload.Recalled> recalled;
  private transient StreamOutput.Direct<Payload.Survivor> survivors;
  private transient StreamOutput.Direct<Payload.Wanted> wanted;
  private transient StreamOutput<Payload.Reborn> reborn;

  MatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    this.serializedSettings = serializedSettings;
  }

  @Override
  void wire(StreamPorts<Component.Matchers> streamPorts) {
    StreamOutput<Payload.Failed> failures = streamPorts.out(Streams.MATCHERS_FAILED);
    streamPorts.onFailure(
        (run, how) -> failures.emit(Payload.Failed.of(run, Component.Matchers.class, how)));
    streamPorts.on(Streams.KEY_FRAMES, this::keyFrame);
    outputs =
        new PartitionWorker.Outputs(
            streamPorts.out(Streams.READY), streamPorts.out(Streams.CONTINUE));
    streamPorts.on(Streams.CONTINUE, this::continueWork);
    presents = streamPorts.out(Streams.PRESENT);
    survivors = streamPorts.out(Streams.SURVIVORS);
    wanted = streamPorts.out(Streams.WANTED);
    reborn = streamPorts.out(Streams.REBORN);
    streamPorts.on(Streams.RECALLS, this::recall);
    recalled = streamPorts.out(Streams.RECALLED);
    streamPorts.on(Streams.ROLL_CALLS, this::called);
    streamPorts.on(Streams.REBIRTHS, this::beginAgain);
    streamPorts.on(Streams.WANTED, this::sendAgain);
    streamPorts.on(Streams.SURVIVORS, this::receive);
    streamPorts.on(Streams.MATCHERS_RELEASED, runReleased -> end(runReleased.run()));
    streamPorts.on(Streams.MATCHERS_KEEP_ALIVE, runKeepAlive -> {}); // onAnyPayload counts it.
    streamPorts.onAnyPayload(payload -> idleRunDetector.recordMessage(payload.run()));
  }

  @Override
  void start(TaskContext here) {
    settings = serializedSettings.unpack();
    taskContext = here;
    workers = new LatestRunMap<>();
    nurseries = new LatestRunMap<>();
    idleRunDetector = new IdleRunDetector(settings.topology());
    worksAhead = settings.topology().workAhead();
    // One is enough to watch it, and no two can see it at different times.
    watching =
        here.task() == 0 && !here.zookeeper().servers().isEmpty() ? ActiveTasks.watch(here) : null;
    active = watching == null ? () -> 0 : watching;
  }

  @Override
  void tick() {
    idleRunDetector.tick().forEach(this::end);
  }

  @Override
  void stop() {
    if (watching != null) {
      watching.close();
    }
  }

  /** A new run's exchange. */
  abstract X exchange(Run run);

  /** The exchange of a run that begins again in its middle. */
  abstract X exchangeAgain(Payload.Rebirth rebirth);

  /** The run is over. */
  void end(Run run) {
    workers.end(run);
    nurseries.end(run);
  }

  final ServiceSettings settings() {
    return settings;
  }

  final TaskContext context() {
    return taskContext;
  }

  /** This task's worker of a run; null if it has none (any more). */
  final PartitionWorker<X> worker(Run run) {
    return workers.get(run);
  }

  private void keyFrame(Payload.KeyFrame keyFrame) {
    Run run = keyFrame.run();
    Step step = keyFrame.step();
    PartitionWorker<X> partitionWorker =
        step.first() ? workers.begin(run, this::begin) : workers.get(run);
    if (partitionWorker == null) {
      LOG.warn("{}: task {} has none of its particles any more", run, taskContext.task());
    } else {
      partitionWorker.take(step);
    }
  }

  private void continueWork(Payload.ContinueWork message) {
    PartitionWorker<X> partitionWorker = workers.get(message.run());
    if (partitionWorker != null) {
      partitionWorker.continueWork(message.sequence());
    }
  }

  private PartitionWorker<X> begin(Run run) {
    FilterSettings filter = settings.filter();
    TaskLayout taskLayout = settings.team(taskContext.matchers());
    int[] owners = Assignment.initial(filter.particles(), taskLayout.tasks());
    int[] particles = Assignment.ownedBy(taskContext.task(), owners);
    Partition partition =
        new Partition(filter, run.robot(), taskContext.task(), taskLayout, particles);
    return newWorker(run, partition, exchange(run));
  }

  private PartitionWorker<X> newWorker(Run run, Partition partition, X exchange) {
    return new PartitionWorker<>(
        run, taskContext.task(), partition, exchange, active, worksAhead, outputs);
  }

  private void recall(Payload.Recall question) {
    // What the dispatcher that died has announced must not take effect after this answer.
    nurseries.end(nurseries.known(question.run()));
    Run known = workers.known(question.run());
    PartitionWorker<X> partitionWorker = workers.get(known);
    recalled.emit(
        partitionWorker == null
            ? new Payload.Recalled(known, taskContext.task(), 0, new Step[0], 0, false)
            : new Payload.Recalled(
                known,
                taskContext.task(),
                partitionWorker.done(),
                partitionWorker.steps(),
                partitionWorker.generation(),
                partitionWorker.hasSettled()));
  }

  private void called(Payload.RollCall call) {
    PartitionWorker<X> partitionWorker = workers.get(call.run());
    if (call.open().length > 0) {
      forgetRebirthsBefore(call);
      if (partitionWorker != null) {
        partitionWorker.beginNoMore();
        hearOut(partitionWorker);
      }
      // In this order: what comes from other tasks at the last moment counts.
      List<ParticleWeights> unjudged =
          partitionWorker == null ? List.of() : partitionWorker.settle(List.of(call.open()));
      answer(call.run(), call.round(), partitionWorker, unjudged);
    } else {
      if (partitionWorker != null) {
        partitionWorker.asked(call.round());
      }
      asked(call);
    }
  }

  /** What was announced before must not take effect after this task has answered what it has. */
  private void forgetRebirthsBefore(Payload.RollCall call) {
    Nursery nursery = nurseries.get(call.run());
    if (nursery != null && nursery.isOlderThan(call.round())) {
      nurseries.end(call.run());
    }
  }

  /** Before a worker settles: what has come for it, and was not read yet, counts. */
  abstract void hearOut(PartitionWorker<X> partitionWorker);

  /** This task is to {@link #answer}, once all has come that is on its way to it. */
  abstract void asked(Payload.RollCall call);

  /** Answers what this task has of the run. */
  final void answer(Run run, long round) {
    answer(run, round, workers.get(run), List.of());
  }

  private void answer(
      Run run, long round, PartitionWorker<X> partitionWorker, List<ParticleWeights> unjudged) {
    boolean holds = partitionWorker != null;
    presents.emit(
        new Payload.Present(
            run,
            round,
            taskContext.task(),
            holds,
            holds ? partitionWorker.latestGiven() : 0,
            holds ? partitionWorker.doneWhenAsked() : 0,
            holds ? partitionWorker.done() : 0,
            holds ? partitionWorker.particles() : new int[0],
            unjudged.toArray(new ParticleWeights[0])));
  }

  /** Sends copies of what is left here to where they belong, and waits for those of others. */
  private void beginAgain(Payload.Rebirth rebirth) {
    Run run = rebirth.run();
    PartitionWorker<X> partitionWorker = workers.get(run);
    if (partitionWorker != null && partitionWorker.born() >= rebirth.round()) {
      sayReborn(rebirth); // It may have been lost.
      return;
    }
    if (partitionWorker == null && rebirth.hasLeftOn(taskContext.task())) {
      answer(run, rebirth.round()); // What was left here is lost as well, and with it the copies.
      return;
    }
    Nursery nursery = nurseries.begin(run, each -> new Nursery(taskContext.task()));
    if (nursery == null) {
      return;
    }
    if (nursery.expects(rebirth)) {
      want(nursery.rebirth(), nursery.missing());
      return;
    }
    if (partitionWorker != null) {
      sendSurvivors(rebirth, partitionWorker);
    }
    nursery.expect(rebirth);
    beginIfComplete(run, nursery);
  }

  private void sendSurvivors(Payload.Rebirth rebirth, PartitionWorker<X> partitionWorker) {
    for (int task = 0; task < taskContext.matchers(); task++) {
      int to = task;
      rebirth
          .copiesOn(to)
          .forEach(
              (parent, copies) -> {
                if (rebirth.before()[parent] == taskContext.task()) {
                  send(rebirth.run(), rebirth.round(), to, partitionWorker.whole(parent, copies));
                }
              });
    }
  }

  /** What was sent once is sent again only to whom it has not reached: maps are large. */
  private void want(Payload.Rebirth rebirth, int[] parents) {
    Map<Integer, int[]> copies = rebirth.copiesOn(taskContext.task());
    for (int parent : parents) {
      wanted.emit(
          rebirth.before()[parent],
          new Payload.Wanted(
              rebirth.run(), rebirth.round(), taskContext.task(), parent, copies.get(parent)));
    }
  }

  private void sendAgain(Payload.Wanted message) {
    PartitionWorker<X> partitionWorker = workers.get(message.run());
    if (partitionWorker != null && partitionWorker.rests(message.round())) {
      send(
          message.run(),
          message.round(),
          message.task(),
          partitionWorker.whole(message.parent(), message.copies()));
    }
  }

  private void send(Run run, long round, int task, ParticleTransfer particleTransfer) {
    survivors.emit(task, new Payload.Survivor(run, round, particleTransfer));
  }

  private void receive(Payload.Survivor survivor) {
    PartitionWorker<X> partitionWorker = workers.get(survivor.run());
    if (partitionWorker != null && partitionWorker.born() >= survivor.round()) {
      return; // It comes again, for others.
    }
    Nursery nursery = nurseries.begin(survivor.run(), run -> new Nursery(taskContext.task()));
    if (nursery != null) {
      nursery.receive(survivor);
      beginIfComplete(survivor.run(), nursery);
    }
  }

  private void beginIfComplete(Run run, Nursery nursery) {
    if (!nursery.isComplete()) {
      return;
    }
    Payload.Rebirth rebirth = nursery.rebirth();
    Partition partition =
        Partition.ofSurvivors(
            settings.filter(),
            run.robot(),
            taskContext.task(),
            settings.team(taskContext.matchers()),
            nursery.take(),
            rebirth.parents(),
            rebirth.owners());
    LOG.warn("{}: goes on with {}, after others were lost", run, partition.particles());
    PartitionWorker<X> partitionWorker = newWorker(run, partition, exchangeAgain(rebirth));
    partitionWorker.beginAfter(rebirth);
    workers.replace(run, partitionWorker);
    nurseries.end(run);
    sayReborn(rebirth);
  }

  private void sayReborn(Payload.Rebirth rebirth) {
    reborn.emit(new Payload.Reborn(rebirth.run(), rebirth.round(), taskContext.task()));
  }
}
