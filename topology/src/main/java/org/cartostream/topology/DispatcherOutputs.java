package org.cartostream.topology;

import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.Component;

/** All that the dispatcher can say. */
record DispatcherOutputs(
    StreamOutput<Payload.KeyFrame> keyFrames,
    StreamOutput<Payload.Admitted> admitted,
    StreamOutput<Payload.Served> served,
    StreamOutput<Payload.ReadingRefused> turned,
    StreamOutput<Payload.ReadingLost> missing,
    StreamOutput<Payload.ReadingRepeated> again,
    StreamOutput<Payload.Ended> ended,
    StreamOutput<Payload.RunReleased> matchersOver,
    StreamOutput<Payload.RunReleased> resamplerOver,
    StreamOutput<Payload.RunReleased> publisherOver,
    StreamOutput<Payload.RunKeepAlive> matchersAlive,
    StreamOutput<Payload.RunKeepAlive> resamplerAlive,
    StreamOutput<Payload.RunKeepAlive> publisherAlive,
    StreamOutput<Payload.RollCall> rollCalls,
    StreamOutput<Payload.ResamplingResult> settled,
    StreamOutput<Payload.Rebirth> matcherRebirths,
    StreamOutput<Payload.Rebirth> resamplerRebirths,
    StreamOutput<Payload.Rebirth> publisherRebirths,
    StreamOutput<Payload.Recall> matcherRecalls,
    StreamOutput<Payload.Recall> publisherRecalls,
    StreamOutput<Payload.Resumed> resumed,
    StreamOutput<Payload.Speaker> speakers) {

  static DispatcherOutputs of(StreamPorts<Component.Dispatcher> streamPorts) {
    return new DispatcherOutputs(
        streamPorts.out(Streams.KEY_FRAMES),
        streamPorts.out(Streams.ADMITTED),
        streamPorts.out(Streams.SERVED),
        streamPorts.out(Streams.REFUSED),
        streamPorts.out(Streams.LOST),
        streamPorts.out(Streams.REPEATED),
        streamPorts.out(Streams.ENDED),
        streamPorts.out(Streams.MATCHERS_RELEASED),
        streamPorts.out(Streams.RESAMPLER_RELEASED),
        streamPorts.out(Streams.PUBLISHER_RELEASED),
        streamPorts.out(Streams.MATCHERS_KEEP_ALIVE),
        streamPorts.out(Streams.RESAMPLER_KEEP_ALIVE),
        streamPorts.out(Streams.PUBLISHER_KEEP_ALIVE),
        streamPorts.out(Streams.ROLL_CALLS),
        streamPorts.out(Streams.SETTLED),
        streamPorts.out(Streams.REBIRTHS),
        streamPorts.out(Streams.RESAMPLER_REBIRTHS),
        streamPorts.out(Streams.PUBLISHER_REBIRTHS),
        streamPorts.out(Streams.RECALLS),
        streamPorts.out(Streams.PUBLISHER_RECALLS),
        streamPorts.out(Streams.RESUMED),
        streamPorts.out(Streams.SPEAKERS));
  }

  /** Tells the robot that a reading will not be used. */
  void refuse(Run run, Payload.Arrival.OfReading reading, Refusal.Reason why) {
    String refusal = why.refusal().name();
    turned.emit(
        new Payload.ReadingRefused(
            run, reading.sequence(), reading.stampNanos(), refusal, why.toString()));
  }

  /** Tells the robot that nobody can say what became of a reading. */
  void reportLost(Run run, long sequence, long stampNanos, String sentence) {
    missing.emit(new Payload.ReadingLost(run, sequence, stampNanos, sentence));
  }

  /** Tells those who compute with which particles a run goes on. */
  void reborn(Payload.Rebirth rebirth) {
    resamplerRebirths.emit(rebirth);
    matcherRebirths.emit(rebirth);
  }

  /** Tells everyone that the run lives. */
  void keepAlive(Run run) {
    matchersAlive.emit(new Payload.RunKeepAlive(run));
    resamplerAlive.emit(new Payload.RunKeepAlive(run));
    publisherAlive.emit(new Payload.RunKeepAlive(run));
  }

  /** Tells those who compute that the run is over. */
  void release(Run run) {
    matchersOver.emit(new Payload.RunReleased(run));
    resamplerOver.emit(new Payload.RunReleased(run));
  }
}
