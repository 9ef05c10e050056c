package org.cartostream.topology;

import org.cartostream.slam.filter.Parcel;

/**
 * A task that holds particles in {@link Mode#BSP}: it tells all others what its particles believe,
 * decides from what all believe as each of them does, and exchanges particles with them, by
 * collectives.
 *
 * <p>Owns this task's {@link Membership} among them. No call is waited for: when one ends, in
 * whatever thread, this task says so to itself ({@link Streams#GATHERED}, {@link
 * Streams#EXCHANGED}) and goes on in its own. A robot has one key frame in the filter at a time, so
 * few such words per robot wait here, whatever the others do.
 */
final class BspMatcherBolt extends MatcherBolt<Circle> {

  private static final long serialVersionUID = 1L;

  private transient Outlet.Direct<Payload.Brought> gathered;
  private transient Outlet.Direct<Payload.Brought> exchanged;
  private transient Outlet<Payload.Judgement> agreements;
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
    return new Circle(run, council, membership.communicator(), packing, gathered, exchanged);
  }

  @Override
  Circle exchangeAgain(Payload.Rebirth rebirth) {
    Council council = Council.again(settings(), place().matchers(), rebirth);
    Run run = rebirth.run();
    return new Circle(run, council, membership.communicator(), packing, gathered, exchanged);
  }

  private void judge(Payload.Brought beliefs) {
    Share<Circle> share = share(beliefs.run());
    if (share == null || hasFailed(beliefs) || !share.waitsForVerdict(beliefs.sequence())) {
      return;
    }
    Council.Decision decision = share.exchange().decide(beliefs.blocks());
    if (place().task() == 0) {
      // All have come to the same, so one speaks; and first, for the robot waits for its pose.
      agreements.emit(decision.judgement(beliefs.run()));
    }
    share.judge(decision.resampling(), decision.owners(), decision.moves());
  }

  private void receive(Payload.Brought particles) {
    Share<Circle> share = share(particles.run());
    if (share == null || hasFailed(particles)) {
      return;
    }
    for (byte[] block : particles.blocks()) {
      for (Parcel parcel : packing.parcels(block)) {
        share.receive(parcel);
      }
    }
  }

  /** The sentence names the task that is gone or late. */
  private boolean hasFailed(Payload.Brought what) {
    boolean failed = !what.failure().isEmpty();
    if (failed) {
      fail(what.run(), "The service's tasks have lost each other: " + what.failure());
    }
    return failed;
  }

  @Override
  void end(Run run) {
    super.end(run);
    membership.communicator().forget(run.robot(), run.order());
  }

  @Override
  void stop() {
    super.stop();
    if (membership != null) {
      membership.close();
    }
  }
}
