package org.cartostream.topology;

import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the tasks that hold the particles.
 *
 * <p>Owns one {@link Share} per robot. A task that begins in the middle of a run (after its worker
 * died) has none of its particles and stays silent, so that the dispatcher gives the run up: fresh
 * particles would silently spoil the map.
 */
final class ScanMatcherBolt extends Bolt<Party.Matchers> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ScanMatcherBolt.class);

  private final Shipped<ServiceSettings> shipped;

  private transient FilterSettings filter;
  private transient Place place;
  private transient Latest<Share> shares;
  private transient Outlet<Payload.Opinion> opinions;
  private transient Outlet<Payload.Ready> readies;
  private transient Outlet.Direct<Payload.Delivery> deliveries;

  ScanMatcherBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Matchers> ports) {
    Outlet<Payload.Failed> failures = ports.out(Streams.MATCHERS_FAILED);
    ports.onFailure((run, how) -> failures.emit(Payload.Failed.of(run, Party.Matchers.class, how)));
    ports.on(Streams.KEY_FRAMES, this::keyFrame);
    opinions = ports.out(Streams.OPINIONS);
    ports.on(Streams.VERDICTS, this::verdict);
    deliveries = ports.out(Streams.DELIVERIES);
    ports.on(Streams.DELIVERIES, this::delivery);
    readies = ports.out(Streams.READY);
    ports.on(Streams.MATCHERS_OVER, over -> shares.end(over.run()));
  }

  @Override
  void start(Place here) {
    filter = shipped.unpack().filter();
    place = here;
    shares = new Latest<>();
  }

  private void keyFrame(Payload.KeyFrame keyFrame) {
    Run run = keyFrame.run();
    Step step = keyFrame.step();
    Share share = step.first() ? shares.begin(run, this::begin) : shares.get(run);
    if (share == null) {
      LOG.warn("{}: task {} has none of its particles any more", run, place.task());
    } else if (share.canMatch(step)) {
      opinions.emit(new Payload.Opinion(run, place.task(), step.first(), share.match(step)));
    }
  }

  private Share begin(Run run) {
    int[] owners = Assignment.first(filter.particles(), place.matchers());
    int[] particles = Assignment.ownedBy(place.task(), owners);
    Partition partition = new Partition(filter, run.robot(), place.task(), particles);
    return new Share(run, place.task(), partition, deliveries, readies);
  }

  private void verdict(Payload.Verdict verdict) {
    Share share = shares.get(verdict.run());
    if (share != null) {
      share.judge(verdict);
    }
  }

  private void delivery(Payload.Delivery delivery) {
    Share share = shares.get(delivery.run());
    if (share != null) {
      share.receive(delivery.parcel());
    }
  }
}
