package org.cartostream.topology;

import java.io.IOException;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;

/**
 * Decides for every run which particles go on, and on which tasks.
 *
 * <p>Owns one {@link ResamplingCoordinator} per robot.
 */
final class ResamplerBolt extends RestorableBolt<Component.Resampler, ResamplerBolt.Coordinated> {

  private static final long serialVersionUID = 1L;

  private transient int matchers;
  private transient StreamOutput<Payload.ResamplingDecision> decisions;
  private transient StreamOutput<Payload.ResamplingResult> results;

  /** A run's coordinator, and the latest reading after which it was saved. */
  static final class Coordinated {
    private final ResamplingCoordinator coordinator;
    private long saved;

    private Coordinated(ResamplingCoordinator coordinator, long saved) {
      this.coordinator = coordinator;
      this.saved = saved;
    }
  }

  ResamplerBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings, Component.Resampler.class);
  }

  @Override
  void wire(StreamPorts<Component.Resampler> streamPorts) {
    super.wire(streamPorts);
    streamPorts.on(Streams.WEIGHTS, this::weights);
    streamPorts.on(Streams.WEIGHTS_MARKS, this::mark);
    decisions = streamPorts.out(Streams.RESAMPLING_DECISIONS);
    results = streamPorts.out(Streams.RESAMPLING_RESULTS);
  }

  @Override
  void start(TaskContext taskContext, TaskCheckpoints checkpoints) {
    super.start(taskContext, checkpoints);
    matchers = taskContext.matchers();
  }

  @Override
  Coordinated restore(Payload.Restore restore) throws IOException {
    ResamplingCoordinator coordinator =
        checkpoints()
            .load(restore, ResamplingCoordinator.class)
            .orElseGet(() -> new ResamplingCoordinator(settings(), restore.run(), matchers));
    return new Coordinated(coordinator, restore.reading());
  }

  private void weights(Payload.TaskWeights weights) {
    withState(
        weights.run(),
        state ->
            state
                .coordinator
                .receive(weights.task(), weights.report())
                .ifPresent(decision -> emitDecision(weights.run(), decision)));
  }

  /**
   * The first matcher's mark comes when all weights up to its reading have come, for that matcher
   * was given the decision, and before any later ones: each matcher's own mark would come first.
   */
  private void mark(Payload.Mark mark) {
    withState(
        mark.run(),
        state -> {
          if (mark.reading() > state.saved) {
            state.saved = mark.reading();
            save(mark.run(), mark.reading(), state.coordinator);
          }
        });
  }

  private void emitDecision(Run run, ResamplingCoordinator.Decision decision) {
    results.emit(decision.result(run)); // First, for the robot waits for its pose.
    decisions.emit(
        new Payload.ResamplingDecision(
            run, decision.resampling(), decision.owners(), decision.moves()));
  }
}
