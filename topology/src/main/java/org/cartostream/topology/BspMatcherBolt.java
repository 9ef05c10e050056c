package org.cartostream.topology;

import org.cartostream.slam.transfer.ParticleTransfer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.MatcherGroup;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that holds particles in {@link Mode#BSP}: by collectives it sends its particles' weights
 * to all others, decides from all weights as each of them does, and exchanges particles with them.
 *
 * <p>Owns this task's {@link MatcherGroup} among them. No call is waited for: when one ends, in
 * whatever thread, a message to this task itself ({@link Streams#GATHERED}, {@link
 * Streams#EXCHANGED}) has it go on in its own. A robot has two key frames in the filter at most, so
 * few such messages per robot wait here, whatever the others do; a Storm task that filled its own
 * queue would stop reading it.
 */
final class BspMatcherBolt extends MatcherBolt<BspExchange> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(BspMatcherBolt.class);

  private transient StreamOutput.Direct<Payload.CollectiveResult> gathered;
  private transient StreamOutput.Direct<Payload.CollectiveResult> exchanged;
  private transient StreamOutput<Payload.ResamplingResult> results;
  private transient StreamOutput<Payload.ExchangeFailed> exchangeFailures;
  private transient MatcherGroup matcherGroup;
  private transient PayloadSerializer payloadSerializer;

  BspMatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings);
  }

  @Override
  void wire(StreamPorts<Component.Matchers> streamPorts) {
    super.wire(streamPorts);
    gathered = streamPorts.out(Streams.GATHERED);
    streamPorts.on(Streams.GATHERED, this::decide);
    exchanged = streamPorts.out(Streams.EXCHANGED);
    streamPorts.on(Streams.EXCHANGED, this::receive);
    results = streamPorts.out(Streams.BSP_RESAMPLING_RESULTS);
    exchangeFailures = streamPorts.out(Streams.EXCHANGE_FAILED);
  }

  @Override
  void start(TaskContext here) {
    super.start(here);
    payloadSerializer = new PayloadSerializer();
    matcherGroup = MatcherGroup.of(here, settings());
  }

  @Override
  BspExchange exchange(Run run) {
    ResamplingCoordinator resamplingCoordinator =
        new ResamplingCoordinator(settings(), run, context().matchers());
    return newExchange(run, 0, resamplingCoordinator);
  }

  @Override
  BspExchange exchangeAgain(Payload.Rebirth rebirth) {
    ResamplingCoordinator resamplingCoordinator =
        ResamplingCoordinator.restored(settings(), context().matchers(), rebirth);
    return newExchange(rebirth.run(), rebirth.generation(), resamplingCoordinator);
  }

  private BspExchange newExchange(
      Run run, int generation, ResamplingCoordinator resamplingCoordinator) {
    long epoch = BspExchange.epoch(run, generation);
    return new BspExchange(
        run,
        epoch,
        resamplingCoordinator,
        matcherGroup.communicator(),
        payloadSerializer,
        gathered,
        exchanged);
  }

  /** The collectives report by themselves if something is lost; nobody need wait for marks. */
  @Override
  void asked(Payload.RollCall call) {
    PartitionWorker<BspExchange> partitionWorker = worker(call.run());
    if (partitionWorker != null
        && partitionWorker.awaitsOthers(partitionWorker.exchange().failedAt())) {
      exchangeFailures.emit(
          new Payload.ExchangeFailed(call.run(), partitionWorker.exchange().failedAt()));
    }
    answer(call.run(), call.round());
  }

  /**
   * Others may have decided by what this task has not handled yet. And the task that was to send
   * the decision may have died, or may have been left behind: so all send it now.
   */
  @Override
  void hearOut(PartitionWorker<BspExchange> partitionWorker) {
    Payload.CollectiveResult latest = partitionWorker.exchange().latest();
    if (latest != null) {
      decide(latest);
    }
    partitionWorker.exchange().decided().forEach(results::emit);
  }

  private void decide(Payload.CollectiveResult weights) {
    PartitionWorker<BspExchange> partitionWorker = worker(weights.run());
    if (partitionWorker == null
        || !partitionWorker.awaitsDecision(weights.sequence())
        || hasFailed(weights)) {
      return;
    }
    ResamplingCoordinator.Decision decision = partitionWorker.exchange().decide(weights.blocks());
    if (context().task() < settings().topology().publishers()) {
      // All have come to the same, so one sends it; a second where it may die just then, for Storm
      // puts neighbours into different processes. And first, for the robot waits for its pose.
      results.emit(decision.result(weights.run()));
    }
    partitionWorker.applyDecision(decision.resampling(), decision.owners(), decision.moves());
  }

  private void receive(Payload.CollectiveResult particles) {
    PartitionWorker<BspExchange> partitionWorker = worker(particles.run());
    if (partitionWorker == null
        || !partitionWorker.awaitsOthers(particles.sequence())
        || hasFailed(particles)) {
      return;
    }
    for (byte[] block : particles.blocks()) {
      for (ParticleTransfer particleTransfer : payloadSerializer.transfers(block)) {
        partitionWorker.receive(particleTransfer);
      }
    }
  }

  /** The sentence names the task that is gone or late; what it has lost can be had of others. */
  private boolean hasFailed(Payload.CollectiveResult what) {
    boolean failed = !what.failure().isEmpty();
    if (failed) {
      LOG.warn("{}: the tasks have lost each other: {}", what.run(), what.failure());
      worker(what.run()).exchange().failedAt(what.sequence());
      exchangeFailures.emit(new Payload.ExchangeFailed(what.run(), what.sequence()));
    }
    return failed;
  }

  @Override
  void end(Run run) {
    super.end(run);
    matcherGroup.communicator().forget(run.robot(), BspExchange.lastEpoch(run));
  }

  @Override
  void stop() {
    super.stop();
    if (matcherGroup != null) {
      matcherGroup.close();
    }
  }
}
