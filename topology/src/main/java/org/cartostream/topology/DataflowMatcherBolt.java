package org.cartostream.topology;

import org.cartostream.slam.transfer.ParticleMove;
import org.cartostream.slam.transfer.ParticleTransfer;
import org.cartostream.topology.run.LatestRunMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;

/**
 * A task that holds particles in {@link Mode#DATAFLOW}: it sends their weights to the resampler,
 * receives its decision which go on, and sends those that move to their tasks.
 */
final class DataflowMatcherBolt extends MatcherBolt<DataflowMatcherBolt.DataflowExchange> {

  private static final long serialVersionUID = 1L;

  private transient StreamOutput<Payload.TaskWeights> weights;
  private transient StreamOutput.Direct<Payload.ParticleDelivery> particles;
  private transient StreamOutput<Payload.Mark> opinionsEnd;
  private transient StreamOutput<Payload.Mark> deliveriesEnd;
  private transient LatestRunMap<Muster> musters;

  DataflowMatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings);
  }

  @Override
  void wire(StreamPorts<Component.Matchers> streamPorts) {
    super.wire(streamPorts);
    weights = streamPorts.out(Streams.WEIGHTS);
    streamPorts.on(Streams.RESAMPLING_DECISIONS, this::applyDecision);
    particles = streamPorts.out(Streams.PARTICLES);
    streamPorts.on(Streams.PARTICLES, this::delivery);
    opinionsEnd = streamPorts.out(Streams.OPINIONS_END);
    streamPorts.on(Streams.VERDICTS_END, this::passOn);
    deliveriesEnd = streamPorts.out(Streams.DELIVERIES_END);
    streamPorts.on(Streams.DELIVERIES_END, this::answerIfLast);
  }

  @Override
  void start(TaskContext here) {
    super.start(here);
    musters = new LatestRunMap<>();
  }

  @Override
  void end(Run run) {
    super.end(run);
    musters.end(run);
  }

  @Override
  DataflowExchange exchange(Run run) {
    return new DataflowExchange(run, 0);
  }

  @Override
  DataflowExchange exchangeAgain(Payload.Rebirth rebirth) {
    return new DataflowExchange(rebirth.run(), rebirth.round());
  }

  private void applyDecision(Payload.ResamplingDecision resamplingDecision) {
    PartitionWorker<DataflowExchange> partitionWorker = worker(resamplingDecision.run());
    if (partitionWorker != null) {
      partitionWorker.applyDecision(
          resamplingDecision.resampling(), resamplingDecision.owners(), resamplingDecision.moves());
    }
  }

  private void delivery(Payload.ParticleDelivery particleDelivery) {
    PartitionWorker<DataflowExchange> partitionWorker = worker(particleDelivery.run());
    if (partitionWorker != null) {
      partitionWorker.receive(particleDelivery.transfer());
    }
  }

  /** A mark goes the way that weights, decisions and particles go, behind them. */
  @Override
  void asked(Payload.RollCall call) {
    opinionsEnd.emit(new Payload.Mark(call.run(), call.round(), context().task()));
  }

  /** The marks have come behind all messages. */
  @Override
  void hearOut(PartitionWorker<DataflowExchange> partitionWorker) {}

  private void passOn(Payload.Mark mark) {
    deliveriesEnd.emit(new Payload.Mark(mark.run(), mark.round(), context().task()));
  }

  private void answerIfLast(Payload.Mark mark) {
    Muster muster = musters.begin(mark.run(), run -> new Muster(context().matchers()));
    if (muster != null && muster.isCompletedBy(mark)) {
      answer(mark.run(), mark.round());
    }
  }

  /** By the topology's streams. */
  final class DataflowExchange implements ParticleExchange {

    private final Run run;
    private final long born;

    private DataflowExchange(Run run, long born) {
      this.run = run;
      this.born = born;
    }

    @Override
    public void sendWeights(WeightReport weightReport, boolean first) {
      weights.emit(new Payload.TaskWeights(run, context().task(), born, first, weightReport));
    }

    @Override
    public void send(ParticleMove particleMove, ParticleTransfer particleTransfer) {
      particles.emit(particleMove.to(), new Payload.ParticleDelivery(run, particleTransfer));
    }

    @Override
    public void allSent(long sequence, ParticleMove[] all) {
      // Each particle has left by itself.
    }
  }
}
