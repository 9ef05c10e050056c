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
 * A task that holds particles in {@link Mode#BSP}: it tells all others what its particles believe,
 * decides from what all believe as each of them does, and exchanges particles with them, by
 * collectives.
 *
 * <p>Owns this task's {@link MatcherGroup} among them. No call is waited for: when one ends, in
 * whatever thread, this task says so to itself ({@link Streams#GATHERED}, {@link
 * Streams#EXCHANGED}) and goes on in its own. A robot has two key frames in the filter at most, so
 * few such words per robot wait here, whatever the others do.
 */
final class BspMatcherBolt extends MatcherBolt<BspExchange> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(BspMatcherBolt.class);

  private transient StreamOutput.Direct<Payload.CollectiveResult> gathered;
  private transient StreamOutput.Direct<Payload.CollectiveResult> exchanged;
  private transient StreamOutput<Payload.ResamplingResult> agreements;
  private transient StreamOutput<Payload.ExchangeFailed> bereft;
  private transient MatcherGroup matcherGroup;
  private transient PayloadSerializer payloadSerializer;

  BspMatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings);
  }

  @Override
  void wire(StreamPorts<Component.Matchers> streamPorts) {
    super.wire(streamPorts);
    gathered = streamPorts.out(Streams.GATHERED);
    streamPorts.on(Streams.GATHERED, this::judge);
    exchanged = streamPorts.out(Streams.EXCHANGED);
    streamPorts.on(Streams.EXCHANGED, this::receive);
    agreements = streamPorts.out(Streams.BSP_RESAMPLING_RESULTS);
    bereft = streamPorts.out(Streams.EXCHANGE_FAILED);
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
        new ResamplingCoordinator(settings(), run, place().matchers());
    return circle(run, 0, resamplingCoordinator);
  }

  @Override
  BspExchange exchangeAgain(Payload.Rebirth rebirth) {
    ResamplingCoordinator resamplingCoordinator =
        ResamplingCoordinator.restored(settings(), place().matchers(), rebirth);
    return circle(rebirth.run(), rebirth.generation(), resamplingCoordinator);
  }

  private BspExchange circle(Run run, int generation, ResamplingCoordinator resamplingCoordinator) {
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

  /** The collectives tell by themselves if something is lost; nobody need wait for marks. */
  @Override
  void asked(Payload.RollCall call) {
    PartitionWorker<BspExchange> partitionWorker = share(call.run());
    if (partitionWorker != null
        && partitionWorker.awaitsOthers(partitionWorker.exchange().failedAt())) {
      bereft.emit(new Payload.ExchangeFailed(call.run(), partitionWorker.exchange().failedAt()));
    }
    answer(call.run(), call.round());
  }

  /**
   * Others may have decided by what this task has not heard yet. And whoever was to say what was
   * decided may have died, or may not have heard it, and be left behind: so all say it now.
   */
  @Override
  void hearOut(PartitionWorker<BspExchange> partitionWorker) {
    Payload.CollectiveResult latest = partitionWorker.exchange().latest();
    if (latest != null) {
      judge(latest);
    }
    partitionWorker.exchange().decided().forEach(agreements::emit);
  }

  private void judge(Payload.CollectiveResult beliefs) {
    PartitionWorker<BspExchange> partitionWorker = share(beliefs.run());
    if (partitionWorker == null
        || !partitionWorker.awaitsDecision(beliefs.sequence())
        || hasFailed(beliefs)) {
      return;
    }
    ResamplingCoordinator.Decision decision = partitionWorker.exchange().decide(beliefs.blocks());
    if (place().task() < settings().topology().publishers()) {
      // All have come to the same, so one speaks; a second where it may die just then, for Storm
      // puts neighbours into different processes. And first, for the robot waits for its pose.
      agreements.emit(decision.judgement(beliefs.run()));
    }
    partitionWorker.applyDecision(decision.resampling(), decision.owners(), decision.moves());
  }

  private void receive(Payload.CollectiveResult particles) {
    PartitionWorker<BspExchange> partitionWorker = share(particles.run());
    if (partitionWorker == null
        || !partitionWorker.awaitsOthers(particles.sequence())
        || hasFailed(particles)) {
      return;
    }
    for (byte[] block : particles.blocks()) {
      for (ParticleTransfer particleTransfer : payloadSerializer.parcels(block)) {
        partitionWorker.receive(particleTransfer);
      }
    }
  }

  /** The sentence names the task that is gone or late; what it has lost can be had of others. */
  private boolean hasFailed(Payload.CollectiveResult what) {
    boolean failed = !what.failure().isEmpty();
    if (failed) {
      LOG.warn("{}: the tasks have lost each other: {}", what.run(), what.failure());
      share(what.run()).exchange().failedAt(what.sequence());
      bereft.emit(new Payload.ExchangeFailed(what.run(), what.sequence()));
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
