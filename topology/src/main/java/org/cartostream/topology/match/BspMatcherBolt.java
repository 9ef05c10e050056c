package org.cartostream.topology.match;

import java.io.IOException;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.LostMessageException;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.PayloadSerializer;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.MatcherGroup;
import org.cartostream.topology.task.TaskContext;

/**
 * A task that holds particles in {@link ResamplingMode#BSP}: by collective operations it sends its
 * particles' weights to all other such tasks, makes the same decision from all weights as each of
 * them, and exchanges particles with them.
 *
 * <p>Owns this task's {@link MatcherGroup}. The task never waits for a call: when a call ends, in
 * whatever thread, a message to this task itself ({@link Streams#GATHERED}, {@link
 * Streams#EXCHANGED}) makes it continue in its own thread. A robot has at most two key frames in
 * the filter, so only few such messages per robot are in this task's queue; a Storm task that
 * filled its own queue would block.
 */
public final class BspMatcherBolt extends MatcherBolt<BspExchange> {

  private static final long serialVersionUID = 1L;

  private transient StreamOutput.Direct<Payload.CollectiveResult> gathered;
  private transient StreamOutput.Direct<Payload.CollectiveResult> exchanged;
  private transient StreamOutput<Payload.ResamplingResult> results;
  private transient MatcherGroup matcherGroup;
  private transient PayloadSerializer payloadSerializer;

  public BspMatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings);
  }

  @Override
  public void wire(StreamPorts<Component.Matchers> streamPorts) {
    super.wire(streamPorts);
    gathered = streamPorts.out(Streams.GATHERED);
    streamPorts.on(Streams.GATHERED, this::decide);
    exchanged = streamPorts.out(Streams.EXCHANGED);
    streamPorts.on(Streams.EXCHANGED, this::receive);
    results = streamPorts.out(Streams.RESAMPLING_RESULTS);
  }

  @Override
  public void start(TaskContext here, TaskCheckpoints checkpoints) {
    super.start(here, checkpoints);
    payloadSerializer = new PayloadSerializer();
    matcherGroup = MatcherGroup.of(here, settings());
  }

  @Override
  BspExchange exchange(Run run, SavedLayout saved, State mine) throws IOException {
    ResamplingCoordinator coordinator = mine.coordinator();
    if (coordinator == null) {
      coordinator = saved.isEmpty() ? saved.newCoordinator() : saved.coordinator();
    }
    return new BspExchange(
        run, coordinator, matcherGroup.communicator(), payloadSerializer, gathered, exchanged);
  }

  @Override
  ResamplingCoordinator coordinator(BspExchange exchange) {
    return exchange.coordinator();
  }

  private void decide(Payload.CollectiveResult weights) {
    withState(
        weights.run(),
        worker -> {
          if (worker.awaitsDecision(weights.sequence())) {
            requireNoFailure(weights);
            ResamplingCoordinator.Decision decision = worker.exchange().decide(weights.blocks());
            if (context().task() == 0) {
              // All tasks have decided the same. Sent first, since the robot waits for its pose.
              results.emit(decision.result(weights.run()));
            }
            worker.applyDecision(decision.resampling(), decision.owners(), decision.moves());
          }
        });
  }

  private void receive(Payload.CollectiveResult particles) {
    withState(
        particles.run(),
        worker -> {
          if (worker.awaitsOthers(particles.sequence())) {
            requireNoFailure(particles);
            for (byte[] block : particles.blocks()) {
              for (ParticleTransfer particleTransfer : payloadSerializer.transfers(block)) {
                worker.receive(particleTransfer);
              }
            }
          }
        });
  }

  /** Throws an exception if a call has failed; its message names the task that is gone or late. */
  private static void requireNoFailure(Payload.CollectiveResult what) {
    if (!what.failure().isEmpty()) {
      throw new LostMessageException("the tasks have lost each other: " + what.failure());
    }
  }

  @Override
  public void discard(Run run, PartitionWorker<BspExchange> worker) {
    matcherGroup.communicator().forget(run.robot(), run.epoch());
  }

  @Override
  public void stop() {
    super.stop();
    if (matcherGroup != null) {
      matcherGroup.close();
    }
  }
}
