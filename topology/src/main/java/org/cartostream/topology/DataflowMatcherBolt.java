package org.cartostream.topology;

import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;

/**
 * A task that holds particles in {@link Mode#DATAFLOW}: the resampler hears what they believe and
 * says which go on, and they travel from task to task.
 */
final class DataflowMatcherBolt extends MatcherBolt<DataflowMatcherBolt.Post> {

  private static final long serialVersionUID = 1L;

  private transient Outlet<Payload.Opinion> opinions;
  private transient Outlet.Direct<Payload.Delivery> deliveries;
  private transient Outlet<Payload.Mark> opinionsEnd;
  private transient Outlet<Payload.Mark> deliveriesEnd;
  private transient Latest<Muster> musters;

  DataflowMatcherBolt(Shipped<ServiceSettings> shipped) {
    super(shipped);
  }

  @Override
  void wire(Ports<Party.Matchers> ports) {
    super.wire(ports);
    opinions = ports.out(Streams.OPINIONS);
    ports.on(Streams.VERDICTS, this::verdict);
    deliveries = ports.out(Streams.DELIVERIES);
    ports.on(Streams.DELIVERIES, this::delivery);
    opinionsEnd = ports.out(Streams.OPINIONS_END);
    ports.on(Streams.VERDICTS_END, this::passOn);
    deliveriesEnd = ports.out(Streams.DELIVERIES_END);
    ports.on(Streams.DELIVERIES_END, this::answerIfLast);
  }

  @Override
  void start(Place here) {
    super.start(here);
    musters = new Latest<>();
  }

  @Override
  void end(Run run) {
    super.end(run);
    musters.end(run);
  }

  @Override
  Post exchange(Run run) {
    return new Post(run, 0);
  }

  @Override
  Post exchangeAgain(Payload.Rebirth rebirth) {
    return new Post(rebirth.run(), rebirth.round());
  }

  private void verdict(Payload.Verdict verdict) {
    Share<Post> share = share(verdict.run());
    if (share != null) {
      share.judge(verdict.resampling(), verdict.owners(), verdict.moves());
    }
  }

  private void delivery(Payload.Delivery delivery) {
    Share<Post> share = share(delivery.run());
    if (share != null) {
      share.receive(delivery.parcel());
    }
  }

  /** A mark goes the way that opinions, verdicts and particles go, behind them. */
  @Override
  void asked(Payload.RollCall call) {
    opinionsEnd.emit(new Payload.Mark(call.run(), call.round(), place().task()));
  }

  /** The marks have come behind all that was said. */
  @Override
  void hearOut(Share<Post> share) {}

  private void passOn(Payload.Mark mark) {
    deliveriesEnd.emit(new Payload.Mark(mark.run(), mark.round(), place().task()));
  }

  private void answerIfLast(Payload.Mark mark) {
    Muster muster = musters.begin(mark.run(), run -> new Muster(place().matchers()));
    if (muster != null && muster.isCompletedBy(mark)) {
      answer(mark.run(), mark.round());
    }
  }

  /** By the topology's streams. */
  final class Post implements Exchange {

    private final Run run;
    private final long born;

    private Post(Run run, long born) {
      this.run = run;
      this.born = born;
    }

    @Override
    public void believe(Statement statement, boolean first) {
      opinions.emit(new Payload.Opinion(run, place().task(), born, first, statement));
    }

    @Override
    public void send(Move move, Parcel parcel) {
      deliveries.emit(move.to(), new Payload.Delivery(run, parcel));
    }

    @Override
    public void sent(long sequence, Move[] all) {
      // Each particle has left by itself.
    }
  }
}
