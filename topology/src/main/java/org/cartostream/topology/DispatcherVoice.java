package org.cartostream.topology;

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
    Outlet<Payload.Over> publisherOver) {

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
        ports.out(Streams.PUBLISHER_OVER));
  }

  /** Tells those who compute that the run is over. */
  void release(Run run) {
    matchersOver.emit(new Payload.Over(run));
    resamplerOver.emit(new Payload.Over(run));
  }
}
