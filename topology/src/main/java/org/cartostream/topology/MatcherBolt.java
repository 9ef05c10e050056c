package org.cartostream.topology;

import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the tasks that hold the particles, whatever the {@link Mode}.
 *
 * <p>Owns one {@link Share} per robot. A task that begins in the middle of a run (after its worker
 * died) has none of its particles and stays silent, so that the dispatcher gives the run up: fresh
 * particles would silently spoil the map.
 *
 * @param <X> how its shares reach those of other tasks
 */
abstract class MatcherBolt<X extends Exchange> extends Bolt<Party.Matchers> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MatcherBolt.class);

  private final Shipped<ServiceSettings> shipped;

  private transient ServiceSettings settings;
  private transient Place place;
  private transient Latest<Share<X>> shares;
  private transient Outlet<Payload.Ready> readies;
  private transient Outlet<Payload.Failed> failures;

  MatcherBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Matchers> ports) {
    failures = ports.out(Streams.MATCHERS_FAILED);
    ports.onFailure((run, how) -> failures.emit(Payload.Failed.of(run, Party.Matchers.class, how)));
    ports.on(Streams.KEY_FRAMES, this::keyFrame);
    readies = ports.out(Streams.READY);
    ports.on(Streams.MATCHERS_OVER, over -> end(over.run()));
  }

  @Override
  void start(Place here) {
    settings = shipped.unpack();
    place = here;
    shares = new Latest<>();
  }

  /** A new run's exchange. */
  abstract X exchange(Run run);

  /** The run is over. */
  void end(Run run) {
    shares.end(run);
  }

  final ServiceSettings settings() {
    return settings;
  }

  final Place place() {
    return place;
  }

  /** This task's share in a run; null if it has none (any more). */
  final Share<X> share(Run run) {
    return shares.get(run);
  }

  /** The run cannot go on, for a reason that people can read. */
  final void fail(Run run, String why) {
    failures.emit(new Payload.Failed(run, why));
  }

  private void keyFrame(Payload.KeyFrame keyFrame) {
    Run run = keyFrame.run();
    Step step = keyFrame.step();
    Share<X> share = step.first() ? shares.begin(run, this::begin) : shares.get(run);
    if (share == null) {
      LOG.warn("{}: task {} has none of its particles any more", run, place.task());
    } else {
      share.take(step);
    }
  }

  private Share<X> begin(Run run) {
    FilterSettings filter = settings.filter();
    int[] owners = Assignment.first(filter.particles(), place.matchers());
    int[] particles = Assignment.ownedBy(place.task(), owners);
    Partition partition =
        new Partition(filter, run.robot(), place.task(), place.matchers(), particles);
    return new Share<>(run, place.task(), partition, exchange(run), readies);
  }
}
