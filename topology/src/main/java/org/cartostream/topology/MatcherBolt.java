package org.cartostream.topology;

import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.filter.Team;
import org.cartostream.topology.assignment.Assignment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the tasks that hold the particles, whatever the {@link Mode}.
 *
 * <p>Owns one {@link Share} per robot, and particles that are to be in one ({@link Nursery}). A
 * task that begins in the middle of a run (after its worker died) has none of its particles and
 * stays silent until it is asked: fresh particles would silently spoil the map. It is given copies
 * of those that others have, see {@link Mending}.
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
  private transient Latest<Nursery> nurseries;
  private transient Silence silence;
  private transient ActiveTasks watching;
  private transient IntSupplier active;
  private transient boolean worksAhead;
  private transient Outlet<Payload.Ready> readies;
  private transient Outlet.Direct<Payload.Onward> onwards;
  private transient Outlet<Payload.Present> presents;
  private transient Outlet<Payload.Recalled> recalled;
  private transient Outlet.Direct<Payload.Survivor> survivors;
  private transient Outlet.Direct<Payload.Wanted> wanted;
  private transient Outlet<Payload.Reborn> reborn;

  MatcherBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Matchers> ports) {
    Outlet<Payload.Failed> failures = ports.out(Streams.MATCHERS_FAILED);
    ports.onFailure((run, how) -> failures.emit(Payload.Failed.of(run, Party.Matchers.class, how)));
    ports.on(Streams.KEY_FRAMES, this::keyFrame);
    readies = ports.out(Streams.READY);
    onwards = ports.out(Streams.ONWARD);
    ports.on(Streams.ONWARD, this::onward);
    presents = ports.out(Streams.PRESENT);
    survivors = ports.out(Streams.SURVIVORS);
    wanted = ports.out(Streams.WANTED);
    reborn = ports.out(Streams.REBORN);
    ports.on(Streams.RECALLS, this::recall);
    recalled = ports.out(Streams.RECALLED);
    ports.on(Streams.ROLL_CALLS, this::called);
    ports.on(Streams.REBIRTHS, this::beginAgain);
    ports.on(Streams.WANTED, this::sendAgain);
    ports.on(Streams.SURVIVORS, this::receive);
    ports.on(Streams.MATCHERS_OVER, over -> end(over.run()));
    ports.on(Streams.MATCHERS_ALIVE, alive -> {}); // To be heard is all.
    ports.onAnything(payload -> silence.heard(payload.run()));
  }

  @Override
  void start(Place here) {
    settings = shipped.unpack();
    place = here;
    shares = new Latest<>();
    nurseries = new Latest<>();
    silence = new Silence(settings.topology());
    worksAhead = settings.topology().workAhead();
    // One is enough to hear it, and no two can hear it at different times.
    watching =
        here.task() == 0 && !here.zookeeper().servers().isEmpty() ? ActiveTasks.watch(here) : null;
    active = watching == null ? () -> 0 : watching;
  }

  @Override
  void tick() {
    silence.tick().forEach(this::end);
  }

  @Override
  void stop() {
    if (watching != null) {
      watching.close();
    }
  }

  /** A new run's exchange. */
  abstract X exchange(Run run);

  /** The exchange of a run that begins again in its middle. */
  abstract X exchangeAgain(Payload.Rebirth rebirth);

  /** The run is over. */
  void end(Run run) {
    shares.end(run);
    nurseries.end(run);
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

  private void onward(Payload.Onward word) {
    Share<X> share = shares.get(word.run());
    if (share != null) {
      share.onward(word.sequence());
    }
  }

  private Share<X> begin(Run run) {
    FilterSettings filter = settings.filter();
    Team team = settings.team(place.matchers());
    int[] owners = Assignment.first(filter.particles(), team.tasks());
    int[] particles = Assignment.ownedBy(place.task(), owners);
    Partition partition = new Partition(filter, run.robot(), place.task(), team, particles);
    return share(run, partition, exchange(run));
  }

  private Share<X> share(Run run, Partition partition, X exchange) {
    return new Share<>(
        run, place.task(), partition, exchange, active, worksAhead, readies, onwards);
  }

  private void recall(Payload.Recall question) {
    // What the dispatcher that died has announced must not take effect after this was said.
    nurseries.end(nurseries.known(question.run()));
    Run known = shares.known(question.run());
    Share<X> share = shares.get(known);
    recalled.emit(
        share == null
            ? new Payload.Recalled(known, place.task(), 0, new Step[0], 0, false)
            : new Payload.Recalled(
                known,
                place.task(),
                share.done(),
                share.steps(),
                share.generation(),
                share.hasSettled()));
  }

  private void called(Payload.RollCall call) {
    Share<X> share = shares.get(call.run());
    if (call.open().length > 0) {
      forgetRebirthsBefore(call);
      if (share != null) {
        share.beginNoMore();
        hearOut(share);
      }
      // In this order: what comes from other tasks at the last moment counts.
      List<Beliefs> unjudged = share == null ? List.of() : share.settle(List.of(call.open()));
      answer(call.run(), call.round(), share, unjudged);
    } else {
      if (share != null) {
        share.asked(call.round());
      }
      asked(call);
    }
  }

  /** What was announced before must not take effect after this task has said what it has. */
  private void forgetRebirthsBefore(Payload.RollCall call) {
    Nursery nursery = nurseries.get(call.run());
    if (nursery != null && nursery.isOlderThan(call.round())) {
      nurseries.end(call.run());
    }
  }

  /** Before a share settles: what has come for it, and waits to be heard, counts. */
  abstract void hearOut(Share<X> share);

  /** This task is to {@link #answer}, once all has come that is on its way to it. */
  abstract void asked(Payload.RollCall call);

  /** Says what this task has of the run. */
  final void answer(Run run, long round) {
    answer(run, round, shares.get(run), List.of());
  }

  private void answer(Run run, long round, Share<X> share, List<Beliefs> unjudged) {
    boolean holds = share != null;
    presents.emit(
        new Payload.Present(
            run,
            round,
            place.task(),
            holds,
            holds ? share.given() : 0,
            holds ? share.doneWhenAsked() : 0,
            holds ? share.done() : 0,
            holds ? share.particles() : new int[0],
            unjudged.toArray(new Beliefs[0])));
  }

  /** Sends copies of what is left here to where they belong, and waits for those of others. */
  private void beginAgain(Payload.Rebirth rebirth) {
    Run run = rebirth.run();
    Share<X> share = shares.get(run);
    if (share != null && share.born() >= rebirth.round()) {
      sayReborn(rebirth); // It may have been lost.
      return;
    }
    if (share == null && rebirth.hasLeftOn(place.task())) {
      answer(run, rebirth.round()); // What was left here is lost as well, and with it the copies.
      return;
    }
    Nursery nursery = nurseries.begin(run, each -> new Nursery(place.task()));
    if (nursery == null) {
      return;
    }
    if (nursery.expects(rebirth)) {
      want(nursery.rebirth(), nursery.missing());
      return;
    }
    if (share != null) {
      sendSurvivors(rebirth, share);
    }
    nursery.expect(rebirth);
    beginIfComplete(run, nursery);
  }

  private void sendSurvivors(Payload.Rebirth rebirth, Share<X> share) {
    for (int task = 0; task < place.matchers(); task++) {
      int to = task;
      rebirth
          .copiesOn(to)
          .forEach(
              (parent, copies) -> {
                if (rebirth.before()[parent] == place.task()) {
                  send(rebirth.run(), rebirth.round(), to, share.whole(parent, copies));
                }
              });
    }
  }

  /** What was sent once is sent again only to whom it has not reached: maps are large. */
  private void want(Payload.Rebirth rebirth, int[] parents) {
    Map<Integer, int[]> copies = rebirth.copiesOn(place.task());
    for (int parent : parents) {
      wanted.emit(
          rebirth.before()[parent],
          new Payload.Wanted(
              rebirth.run(), rebirth.round(), place.task(), parent, copies.get(parent)));
    }
  }

  private void sendAgain(Payload.Wanted word) {
    Share<X> share = shares.get(word.run());
    if (share != null && share.rests(word.round())) {
      send(word.run(), word.round(), word.task(), share.whole(word.parent(), word.copies()));
    }
  }

  private void send(Run run, long round, int task, Parcel parcel) {
    survivors.emit(task, new Payload.Survivor(run, round, parcel));
  }

  private void receive(Payload.Survivor survivor) {
    Share<X> share = shares.get(survivor.run());
    if (share != null && share.born() >= survivor.round()) {
      return; // It comes again, for others.
    }
    Nursery nursery = nurseries.begin(survivor.run(), run -> new Nursery(place.task()));
    if (nursery != null) {
      nursery.receive(survivor);
      beginIfComplete(survivor.run(), nursery);
    }
  }

  private void beginIfComplete(Run run, Nursery nursery) {
    if (!nursery.isComplete()) {
      return;
    }
    Payload.Rebirth rebirth = nursery.rebirth();
    Partition partition =
        Partition.ofSurvivors(
            settings.filter(),
            run.robot(),
            place.task(),
            settings.team(place.matchers()),
            nursery.take(),
            rebirth.parents(),
            rebirth.owners());
    LOG.warn("{}: goes on with {}, after others were lost", run, partition.particles());
    Share<X> share = share(run, partition, exchangeAgain(rebirth));
    share.beginAfter(rebirth);
    shares.replace(run, share);
    nurseries.end(run);
    sayReborn(rebirth);
  }

  private void sayReborn(Payload.Rebirth rebirth) {
    reborn.emit(new Payload.Reborn(rebirth.run(), rebirth.round(), place.task()));
  }
}
