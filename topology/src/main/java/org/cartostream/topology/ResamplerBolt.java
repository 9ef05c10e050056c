package org.cartostream.topology;

import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.LatestRunMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for every run which particles go on, and on which tasks.
 *
 * <p>Owns one {@link ResamplingCoordinator} per robot. As a matcher does, it sends nothing about a
 * run whose beginning it has not seen.
 */
final class ResamplerBolt extends Bolt<Component.Resampler> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ResamplerBolt.class);

  private final SerializedSettings<ServiceSettings> serializedSettings;

  private transient ServiceSettings settings;
  private transient int matchers;
  private transient LatestRunMap<ResamplingCoordinator> coordinators;
  private transient StreamOutput<Payload.ResamplingDecision> decisions;
  private transient StreamOutput<Payload.ResamplingResult> results;
  private transient StreamOutput<Payload.Mark> verdictsEnd;
  private transient LatestRunMap<Muster> musters;
  private transient IdleRunDetector idleRunDetector;

  ResamplerBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    this.serializedSettings = serializedSettings;
  }

  @Override
  void wire(StreamPorts<Component.Resampler> streamPorts) {
    StreamOutput<Payload.Failed> failures = streamPorts.out(Streams.RESAMPLER_FAILED);
    streamPorts.onFailure(
        (run, how) -> failures.emit(Payload.Failed.of(run, Component.Resampler.class, how)));
    streamPorts.on(Streams.WEIGHTS, this::weights);
    decisions = streamPorts.out(Streams.RESAMPLING_DECISIONS);
    results = streamPorts.out(Streams.RESAMPLING_RESULTS);
    streamPorts.on(Streams.OPINIONS_END, this::passOn);
    verdictsEnd = streamPorts.out(Streams.VERDICTS_END);
    streamPorts.on(Streams.RESAMPLER_REBIRTHS, this::beginAgain);
    streamPorts.on(Streams.RESAMPLER_RELEASED, runReleased -> end(runReleased.run()));
    streamPorts.on(Streams.RESAMPLER_KEEP_ALIVE, runKeepAlive -> {}); // onAnyPayload counts it.
    streamPorts.onAnyPayload(payload -> idleRunDetector.recordMessage(payload.run()));
  }

  private void end(Run run) {
    coordinators.end(run);
    musters.end(run);
  }

  @Override
  void start(TaskContext taskContext) {
    settings = serializedSettings.unpack();
    matchers = taskContext.matchers();
    coordinators = new LatestRunMap<>();
    musters = new LatestRunMap<>();
    idleRunDetector = new IdleRunDetector(settings.topology());
  }

  @Override
  void tick() {
    idleRunDetector.tick().forEach(this::end);
  }

  private void weights(Payload.TaskWeights taskWeights) {
    Run run = taskWeights.run();
    ResamplingCoordinator resamplingCoordinator =
        taskWeights.first() ? coordinators.begin(run, this::begin) : coordinators.get(run);
    if (resamplingCoordinator == null) {
      LOG.warn("{}: the particles' weights are not here any more", run);
      return;
    }
    if (resamplingCoordinator.born() != taskWeights.born()) {
      LOG.warn("{}: task {} has other particles than are known here", run, taskWeights.task());
      return; // It will show that nothing follows from it, see Mending.
    }
    resamplingCoordinator
        .receive(taskWeights.task(), taskWeights.report())
        .ifPresent(decision -> emitDecision(run, decision));
  }

  /** Behind all decisions goes a mark, when all weights have come that are on their way. */
  private void passOn(Payload.Mark mark) {
    Muster muster = musters.begin(mark.run(), run -> new Muster(matchers));
    if (muster != null && muster.isCompletedBy(mark)) {
      verdictsEnd.emit(new Payload.Mark(mark.run(), mark.round(), 0));
    }
  }

  /** It may come again when the coordinator has decided about later key frames. */
  private void beginAgain(Payload.Rebirth rebirth) {
    ResamplingCoordinator resamplingCoordinator = coordinators.get(rebirth.run());
    if (resamplingCoordinator == null || resamplingCoordinator.born() < rebirth.round()) {
      coordinators.replace(
          rebirth.run(), ResamplingCoordinator.restored(settings, matchers, rebirth));
    }
  }

  private ResamplingCoordinator begin(Run run) {
    return new ResamplingCoordinator(settings, run, matchers);
  }

  private void emitDecision(Run run, ResamplingCoordinator.Decision decision) {
    // In this order: if this worker dies now, no matcher goes by what the paths know nothing of.
    results.emit(decision.result(run));
    decisions.emit(
        new Payload.ResamplingDecision(
            run, decision.resampling(), decision.owners(), decision.moves()));
  }
}
