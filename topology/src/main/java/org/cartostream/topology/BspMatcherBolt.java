package org.cartostream.topology;

import org.cartostream.slam.filter.Parcel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that holds particles in {@link Mode#BSP}: it tells all others what its particles believe,
 * decides from what all believe as each of them does, and exchanges particles with them, by
 * collectives.
 *
 * <p>Owns this task's {@link Membership} among them. No call is waited for: when one ends, in
 * whatever thread, this task says so to itself ({@link Streams#GATHERED}, {@link
 * Streams#EXCHANGED}) and goes on in its own. A robot has two key frames in the filter at most, so
 * few such words per robot wait here, whatever the others do.
 */
final class BspMatcherBolt extends MatcherBolt<Circle> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(BspMatcherBolt.class);

  private transient Outlet.Direct<Payload.Brought> gathered;
  private transient Outlet.Direct<Payload.Brought> exchanged;
  private transient Outlet<Payload.Judgement> agreements;
  private transient Outlet<Payload.Bereft> bereft;
  private transient Membership membership;
  private transient Packing packing;

  BspMatcherBolt(Shipped<ServiceSettings> shipped) {
    super(shipped);
  }

  @Override
  void wire(Ports<Party.Matchers> ports) {
    super.wire(ports);
    gathered = ports.out(Streams.GATHERED);
    ports.on(Streams.GATHERED, this::judge);
    exchanged = ports.out(Streams.EXCHANGED);
    ports.on(Streams.EXCHANGED, this::receive);
    agreements = ports.out(Streams.AGREEMENTS);
    bereft = ports.out(Streams.BEREFT);
  }

  @Override
  void start(Place here) {
    super.start(here);
    packing = new Packing();
    membership = Membership.of(here, settings());
  }

  @Override
  Circle exchange(Run run) {
    Council council = new Council(settings(), run, place().matchers());
    return circle(run, 0, council);
  }

  @Override
  Circle exchangeAgain(Payload.Rebirth rebirth) {
    Council council = Council.again(settings(), place().matchers(), rebirth);
    return circle(rebirth.run(), rebirth.generation(), council);
  }

  private Circle circle(Run run, int generation, Council council) {
    long epoch = Circle.epoch(run, generation);
    return new Circle(run, epoch, council, membership.communicator(), packing, gathered, exchanged);
  }

  /** The collectives tell by themselves if something is lost; nobody need wait for marks. */
  @Override
  void asked(Payload.RollCall call) {
    Share<Circle> share = share(call.run());
    if (share != null && share.waits(share.exchange().failedAt())) {
      bereft.emit(new Payload.Bereft(call.run(), share.exchange().failedAt()));
    }
    answer(call.run(), call.round());
  }

  /**
   * Others may have decided by what this task has not heard yet. And whoever was to say what was
   * decided may have died, or may not have heard it, and be left behind: so all say it now.
   */
  @Override
  void hearOut(Share<Circle> share) {
    Payload.Brought latest = share.exchange().latest();
    if (latest != null) {
      judge(latest);
    }
    share.exchange().decided().forEach(agreements::emit);
  }

  private void judge(Payload.Brought beliefs) {
    Share<Circle> share = share(beliefs.run());
    if (share == null || !share.waitsForVerdict(beliefs.sequence()) || hasFailed(beliefs)) {
      return;
    }
    Council.Decision decision = share.exchange().decide(beliefs.blocks());
    if (place().task() < settings().topology().publishers()) {
      // All have come to the same, so one speaks; a second where it may die just then, for Storm
      // puts neighbours into different processes. And first, for the robot waits for its pose.
      agreements.emit(decision.judgement(beliefs.run()));
    }
    share.judge(decision.resampling(), decision.owners(), decision.moves());
  }

  private void receive(Payload.Brought particles) {
    Share<Circle> share = share(particles.run());
    if (share == null || !share.waits(particles.sequence()) || hasFailed(particles)) {
      return;
    }
    for (byte[] block : particles.blocks()) {
      for (Parcel parcel : packing.parcels(block)) {
        share.receive(parcel);
      }
    }
  }

  /** The sentence names the task that is gone or late; what it has lost can be had of others. */
  private boolean hasFailed(Payload.Brought what) {
    boolean failed = !what.failure().isEmpty();
    if (failed) {
      LOG.warn("{}: the tasks have lost each other: {}", what.run(), what.failure());
      share(what.run()).exchange().failedAt(what.sequence());
      bereft.emit(new Payload.Bereft(what.run(), what.sequence()));
    }
    return failed;
  }

  @Override
  void end(Run run) {
    super.end(run);
    membership.communicator().forget(run.robot(), Circle.lastEpoch(run));
  }

  @Override
  void stop() {
    super.stop();
    if (membership != null) {
      membership.close();
    }
  }
}
