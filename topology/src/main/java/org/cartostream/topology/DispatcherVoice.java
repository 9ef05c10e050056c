package org.cartostream.topology;

import org.cartostream.slam.sensor.Refusal;

/** All that the dispatcher can say. */
record DispatcherVoice(
    Outlet<Payload.KeyFrame> keyFrames,
    Outlet<Payload.Admitted> admitted,
    Outlet<Payload.Served> served,
    Outlet<Payload.Turned> turned,
    Outlet<Payload.Missing> missing,
    Outlet<Payload.Again> again,
    Outlet<Payload.Ended> ended,
    Outlet<Payload.Over> matchersOver,
    Outlet<Payload.Over> resamplerOver,
    Outlet<Payload.Over> publisherOver,
    Outlet<Payload.Alive> matchersAlive,
    Outlet<Payload.Alive> resamplerAlive,
    Outlet<Payload.Alive> publisherAlive,
    Outlet<Payload.RollCall> rollCalls,
    Outlet<Payload.Judgement> settled,
    Outlet<Payload.Rebirth> matcherRebirths,
    Outlet<Payload.Rebirth> resamplerRebirths,
    Outlet<Payload.Rebirth> publisherRebirths,
    Outlet<Payload.Recall> matcherRecalls,
    Outlet<Payload.Recall> publisherRecalls,
    Outlet<Payload.Resumed> resumed,
    Outlet<Payload.Speaker> speakers) {

  static DispatcherVoice of(Ports<Party.Dispatcher> ports) {
    return new DispatcherVoice(
        ports.out(Streams.KEY_FRAMES),
        ports.out(Streams.ADMITTED),
        ports.out(Streams.SERVED),
        ports.out(Streams.TURNED),
        ports.out(Streams.MISSING),
        ports.out(Streams.AGAIN),
        ports.out(Streams.ENDED),
        ports.out(Streams.MATCHERS_OVER),
        ports.out(Streams.RESAMPLER_OVER),
        ports.out(Streams.PUBLISHER_OVER),
        ports.out(Streams.MATCHERS_ALIVE),
        ports.out(Streams.RESAMPLER_ALIVE),
        ports.out(Streams.PUBLISHER_ALIVE),
        ports.out(Streams.ROLL_CALLS),
        ports.out(Streams.SETTLED),
        ports.out(Streams.REBIRTHS),
        ports.out(Streams.RESAMPLER_REBIRTHS),
        ports.out(Streams.PUBLISHER_REBIRTHS),
        ports.out(Streams.RECALLS),
        ports.out(Streams.PUBLISHER_RECALLS),
        ports.out(Streams.RESUMED),
        ports.out(Streams.SPEAKERS));
  }

  /** Tells the robot that a reading will not be used. */
  void turn(Run run, Payload.Arrival.OfReading reading, Refusal.Because why) {
    String refusal = why.refusal().name();
    turned.emit(
        new Payload.Turned(run, reading.sequence(), reading.stampNanos(), refusal, why.toString()));
  }

  /** Tells the robot that nobody can say what became of a reading. */
  void miss(Run run, long sequence, long stampNanos, String sentence) {
    missing.emit(new Payload.Missing(run, sequence, stampNanos, sentence));
  }

  /** Tells those who compute with which particles a run goes on. */
  void reborn(Payload.Rebirth rebirth) {
    resamplerRebirths.emit(rebirth);
    matcherRebirths.emit(rebirth);
  }

  /** Tells everyone that the run lives. */
  void alive(Run run) {
    matchersAlive.emit(new Payload.Alive(run));
    resamplerAlive.emit(new Payload.Alive(run));
    publisherAlive.emit(new Payload.Alive(run));
  }

  /** Tells those who compute that the run is over. */
  void release(Run run) {
    matchersOver.emit(new Payload.Over(run));
    resamplerOver.emit(new Payload.Over(run));
  }
}
