package org.cartostream.topology;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.cartostream.slam.filter.FilterSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the readings of many robots to their filters.
 *
 * <p>Owns one {@link Admission} per robot: that of its latest run.
 */
final class DispatcherBolt extends Bolt<Party.Dispatcher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherBolt.class);

  private final Shipped<ServiceSettings> shipped;

  private transient Ports<Party.Dispatcher> attempts;
  private transient DispatcherVoice voice;
  private transient FilterSettings filter;
  private transient TopologySettings settings;
  private transient int matchers;
  private transient Map<String, Admission> robots;

  DispatcherBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Dispatcher> ports) {
    voice = DispatcherVoice.of(ports);
    ports.on(Streams.ARRIVALS, this::arrival);
    ports.on(Streams.READY, this::ready);
    ports.on(Streams.MATCHERS_FAILED, this::failed);
    ports.on(Streams.RESAMPLER_FAILED, this::failed);
    ports.on(Streams.PUBLISHER_FAILED, this::failed);
    ports.onFailure((run, how) -> failed(Payload.Failed.of(run, Party.Dispatcher.class, how)));
    attempts = ports;
  }

  @Override
  void start(Place place) {
    filter = shipped.unpack().filter();
    settings = shipped.unpack().topology();
    matchers = place.matchers();
    robots = new HashMap<>();
  }

  private void arrival(Payload.Arrival arrival) {
    Run run = arrival.run();
    Admission admission = robots.get(run.robot());
    if (admission != null && admission.run().number() > run.number()) {
      LOG.debug("dropped number {} of {}: a later run has begun", arrival.sequence(), run);
      return;
    }
    if (admission == null || admission.run().number() < run.number()) {
      if (admission != null) {
        admission.forget();
      }
      LOG.info("{} begins", run);
      admission = new Admission(run, filter, settings, matchers, voice);
      robots.put(run.robot(), admission);
    }
    admission.hear(arrival, System.nanoTime());
  }

  private void ready(Payload.Ready ready) {
    Admission admission = robots.get(ready.run().robot());
    if (admission != null && admission.run().equals(ready.run())) {
      admission.ready(ready, System.nanoTime());
    }
  }

  private void failed(Payload.Failed failed) {
    Admission admission = robots.get(failed.run().robot());
    if (admission != null && admission.run().equals(failed.run())) {
      LOG.warn("{} is given up: {}", failed.run(), failed.sentence());
      admission.fail(failed.sentence(), System.nanoTime());
    }
  }

  @Override
  void tick() {
    long now = System.nanoTime();
    for (Iterator<Admission> all = robots.values().iterator(); all.hasNext(); ) {
      Admission admission = all.next();
      attempts.attempt(admission.run(), () -> admission.watch(now));
      if (admission.isForgotten(now)) {
        LOG.info("{} has been silent for long and is forgotten", admission.run());
        admission.forget();
        all.remove();
      }
    }
  }
}
