package org.cartostream.topology.match;

import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.stream.WeightReport;
import org.cartostream.topology.task.Component;

/**
 * A task that holds particles in {@link ResamplingMode#DATAFLOW}: it sends the weights to the
 * resampler, which decides for all tasks, and particles directly to the tasks to which they move.
 */
public final class DataflowMatcherBolt extends MatcherBolt<DataflowMatcherBolt.DataflowExchange> {

  private static final long serialVersionUID = 1L;

  private transient StreamOutput<Payload.TaskWeights> weights;
  private transient StreamOutput<Payload.CheckpointBarrier> weightsBarriers;
  private transient StreamOutput.Direct<Payload.ParticleDelivery> particles;

  public DataflowMatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings);
  }

  @Override
  public void wire(StreamPorts<Component.Matchers> streamPorts) {
    super.wire(streamPorts);
    weights = streamPorts.out(Streams.WEIGHTS);
    weightsBarriers = streamPorts.out(Streams.WEIGHTS_BARRIERS);
    streamPorts.on(Streams.RESAMPLING_DECISIONS, this::applyDecision);
    particles = streamPorts.out(Streams.PARTICLES);
    streamPorts.on(Streams.PARTICLES, this::delivery);
  }

  @Override
  DataflowExchange exchange(Run run, SavedLayout saved, State mine) {
    return new DataflowExchange(run);
  }

  @Override
  ResamplingCoordinator coordinator(DataflowExchange exchange) {
    return null;
  }

  @Override
  void save(Run run, long reading, Runnable then) {
    if (context().task() == 0) { // Before the weights of later readings.
      weightsBarriers.emit(new Payload.CheckpointBarrier(run, reading, false));
    }
    super.save(run, reading, then);
  }

  private void applyDecision(Payload.ResamplingDecision decision) {
    withState(
        decision.run(),
        worker -> worker.applyDecision(decision.resampling(), decision.owners(), decision.moves()));
  }

  private void delivery(Payload.ParticleDelivery delivery) {
    withState(delivery.run(), worker -> worker.receive(delivery.transfer()));
  }

  /** Exchange of particles by the topology's streams. */
  final class DataflowExchange implements ParticleExchange {

    private final Run run;

    private DataflowExchange(Run run) {
      this.run = run;
    }

    @Override
    public void sendWeights(WeightReport weightReport) {
      weights.emit(new Payload.TaskWeights(run, context().task(), weightReport));
    }

    @Override
    public void send(ParticleMove particleMove, ParticleTransfer particleTransfer) {
      particles.emit(particleMove.to(), new Payload.ParticleDelivery(run, particleTransfer));
    }

    @Override
    public void allSent(long sequence, ParticleMove[] all) {
      // Each particle was sent at once.
    }
  }
}
