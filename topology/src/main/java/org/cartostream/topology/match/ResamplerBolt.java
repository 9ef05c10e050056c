package org.cartostream.topology.match;

import java.io.IOException;
import org.cartostream.topology.bolt.RestorableBolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.run.RunFilters;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;

/**
 * The resampler: a bolt that decides for every run which particles survive, and on which tasks.
 *
 * <p>Owns one {@link ResamplingCoordinator} per robot.
 */
public final class ResamplerBolt
    extends RestorableBolt<Component.Resampler, ResamplingCoordinator> {

  private static final long serialVersionUID = 1L;

  private transient int matchers;
  private transient StreamOutput<Payload.ResamplingDecision> decisions;
  private transient StreamOutput<Payload.ResamplingResult> results;

  public ResamplerBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings, Component.Resampler.class);
  }

  @Override
  public void wire(StreamPorts<Component.Resampler> streamPorts) {
    super.wire(streamPorts);
    streamPorts.on(Streams.WEIGHTS, this::weights);
    streamPorts.on(Streams.WEIGHTS_BARRIERS, this::barrier);
    decisions = streamPorts.out(Streams.RESAMPLING_DECISIONS);
    results = streamPorts.out(Streams.RESAMPLING_RESULTS);
  }

  @Override
  public void start(TaskContext taskContext, TaskCheckpoints checkpoints) {
    super.start(taskContext, checkpoints);
    matchers = taskContext.matchers();
  }

  @Override
  public ResamplingCoordinator restore(Payload.Restore restore) throws IOException {
    SavedLayout saved =
        new SavedLayout(
            checkpoints(),
            restore,
            settings(),
            RunFilters.of(settings(), restore.knownMap()),
            matchers);
    return saved.isEmpty() ? saved.newCoordinator() : saved.coordinator();
  }

  private void weights(Payload.TaskWeights weights) {
    withState(
        weights.run(),
        coordinator ->
            coordinator
                .receive(weights.task(), weights.report())
                .ifPresent(decision -> emitDecision(weights.run(), decision)));
  }

  /**
   * Saves the state at a barrier. The barrier comes from a matcher that has received the decisions
   * on all key frames up to its reading. Later ones are not decided yet, as that needs this
   * matcher's weights.
   */
  private void barrier(Payload.CheckpointBarrier barrier) {
    withState(barrier.run(), coordinator -> saveNow(barrier.run(), barrier.reading(), coordinator));
  }

  private void emitDecision(Run run, ResamplingCoordinator.Decision decision) {
    results.emit(decision.result(run)); // First, since the robot waits for its pose.
    decisions.emit(
        new Payload.ResamplingDecision(
            run, decision.resampling(), decision.owners(), decision.moves()));
  }
}
