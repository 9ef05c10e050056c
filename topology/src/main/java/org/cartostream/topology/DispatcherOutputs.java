package org.cartostream.topology;

import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.Component;

/** The dispatcher's streams. */
final class DispatcherOutputs {

  final StreamOutput<Payload.KeyFrame> keyFrames;
  final StreamOutput<Payload.Admitted> admitted;
  final StreamOutput<Payload.Served> served;
  final StreamOutput<Payload.ReadingRefused> refused;
  final StreamOutput<Payload.ReadingLost> lost;
  final StreamOutput<Payload.ReadingRepeated> repeated;
  final StreamOutput<Payload.Ended> ended;
  final StreamOutput<Payload.RunReleased> matchersReleased;
  final StreamOutput<Payload.RunReleased> resamplerReleased;
  final StreamOutput<Payload.RunReleased> publisherReleased;
  final StreamOutput<Payload.RunKeepAlive> matchersKeepAlive;
  final StreamOutput<Payload.RunKeepAlive> resamplerKeepAlive;
  final StreamOutput<Payload.RunKeepAlive> publisherKeepAlive;
  final StreamOutput<Payload.RollCall> rollCalls;
  final StreamOutput<Payload.ResamplingResult> settled;
  final StreamOutput<Payload.Rebirth> matcherRebirths;
  final StreamOutput<Payload.Rebirth> resamplerRebirths;
  final StreamOutput<Payload.Rebirth> publisherRebirths;
  final StreamOutput<Payload.Recall> matcherRecalls;
  final StreamOutput<Payload.Recall> publisherRecalls;
  final StreamOutput<Payload.Resumed> resumed;
  final StreamOutput<Payload.Speaker> speakers;

  DispatcherOutputs(StreamPorts<Component.Dispatcher> ports) {
    keyFrames = ports.out(Streams.KEY_FRAMES);
    admitted = ports.out(Streams.ADMITTED);
    served = ports.out(Streams.SERVED);
    refused = ports.out(Streams.REFUSED);
    lost = ports.out(Streams.LOST);
    repeated = ports.out(Streams.REPEATED);
    ended = ports.out(Streams.ENDED);
    matchersReleased = ports.out(Streams.MATCHERS_RELEASED);
    resamplerReleased = ports.out(Streams.RESAMPLER_RELEASED);
    publisherReleased = ports.out(Streams.PUBLISHER_RELEASED);
    matchersKeepAlive = ports.out(Streams.MATCHERS_KEEP_ALIVE);
    resamplerKeepAlive = ports.out(Streams.RESAMPLER_KEEP_ALIVE);
    publisherKeepAlive = ports.out(Streams.PUBLISHER_KEEP_ALIVE);
    rollCalls = ports.out(Streams.ROLL_CALLS);
    settled = ports.out(Streams.SETTLED);
    matcherRebirths = ports.out(Streams.REBIRTHS);
    resamplerRebirths = ports.out(Streams.RESAMPLER_REBIRTHS);
    publisherRebirths = ports.out(Streams.PUBLISHER_REBIRTHS);
    matcherRecalls = ports.out(Streams.RECALLS);
    publisherRecalls = ports.out(Streams.PUBLISHER_RECALLS);
    resumed = ports.out(Streams.RESUMED);
    speakers = ports.out(Streams.SPEAKERS);
  }

  /** Reports that a reading will not be used. */
  void refuse(Run run, Payload.Arrival.OfReading reading, Refusal.Reason why) {
    String refusal = why.refusal().name();
    refused.emit(
        new Payload.ReadingRefused(
            run, reading.sequence(), reading.stampNanos(), refusal, why.toString()));
  }

  /** Reports that the outcome of a reading is not known. */
  void reportLost(Run run, long sequence, long stampNanos, String sentence) {
    lost.emit(new Payload.ReadingLost(run, sequence, stampNanos, sentence));
  }

  /** Sends matchers and resampler the particles with which a run goes on. */
  void reborn(Payload.Rebirth rebirth) {
    resamplerRebirths.emit(rebirth);
    matcherRebirths.emit(rebirth);
  }

  /** Sends everyone a keep-alive of the run. */
  void keepAlive(Run run) {
    matchersKeepAlive.emit(new Payload.RunKeepAlive(run));
    resamplerKeepAlive.emit(new Payload.RunKeepAlive(run));
    publisherKeepAlive.emit(new Payload.RunKeepAlive(run));
  }

  /** Has matchers and resampler release the run. */
  void release(Run run) {
    matchersReleased.emit(new Payload.RunReleased(run));
    resamplerReleased.emit(new Payload.RunReleased(run));
  }
}
