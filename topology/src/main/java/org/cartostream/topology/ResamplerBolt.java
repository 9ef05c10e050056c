package org.cartostream.topology;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for every run which particles go on, and on which tasks.
 *
 * <p>Owns one {@link Council} per robot. As a matcher does, it stays silent about a run whose
 * beginning it has not seen.
 */
final class ResamplerBolt extends Bolt<Party.Resampler> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ResamplerBolt.class);

  private final Shipped<ServiceSettings> shipped;

  private transient ServiceSettings settings;
  private transient int matchers;
  private transient Latest<Council> councils;
  private transient Outlet<Payload.Verdict> verdicts;
  private transient Outlet<Payload.Judgement> judgements;
  private transient Outlet<Payload.Mark> verdictsEnd;
  private transient Latest<Muster> musters;
  private transient Silence silence;

  ResamplerBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Resampler> ports) {
    Outlet<Payload.Failed> failures = ports.out(Streams.RESAMPLER_FAILED);
    ports.onFailure(
        (run, how) -> failures.emit(Payload.Failed.of(run, Party.Resampler.class, how)));
    ports.on(Streams.OPINIONS, this::opinion);
    verdicts = ports.out(Streams.VERDICTS);
    judgements = ports.out(Streams.JUDGEMENTS);
    ports.on(Streams.OPINIONS_END, this::passOn);
    verdictsEnd = ports.out(Streams.VERDICTS_END);
    ports.on(Streams.RESAMPLER_REBIRTHS, this::beginAgain);
    ports.on(Streams.RESAMPLER_OVER, over -> end(over.run()));
    ports.on(Streams.RESAMPLER_ALIVE, alive -> {}); // To be heard is all.
    ports.onAnything(payload -> silence.heard(payload.run()));
  }

  private void end(Run run) {
    councils.end(run);
    musters.end(run);
  }

  @Override
  void start(Place place) {
    settings = shipped.unpack();
    matchers = place.matchers();
    councils = new Latest<>();
    musters = new Latest<>();
    silence = new Silence(settings.topology());
  }

  @Override
  void tick() {
    silence.tick().forEach(this::end);
  }

  private void opinion(Payload.Opinion opinion) {
    Run run = opinion.run();
    Council council = opinion.first() ? councils.begin(run, this::begin) : councils.get(run);
    if (council == null) {
      LOG.warn("{}: the particles' weights are not here any more", run);
      return;
    }
    if (council.born() != opinion.born()) {
      LOG.warn("{}: task {} has other particles than are known here", run, opinion.task());
      return; // It will show that nothing follows from it, see Mending.
    }
    council.hear(opinion.task(), opinion.statement()).ifPresent(decision -> tell(run, decision));
  }

  /** Behind all verdicts goes a mark, when all opinions have come that are on their way. */
  private void passOn(Payload.Mark mark) {
    Muster muster = musters.begin(mark.run(), run -> new Muster(matchers));
    if (muster != null && muster.isCompletedBy(mark)) {
      verdictsEnd.emit(new Payload.Mark(mark.run(), mark.round(), 0));
    }
  }

  /** What is said again may come when the council has decided about later key frames. */
  private void beginAgain(Payload.Rebirth rebirth) {
    Council council = councils.get(rebirth.run());
    if (council == null || council.born() < rebirth.round()) {
      councils.replace(rebirth.run(), Council.again(settings, matchers, rebirth));
    }
  }

  private Council begin(Run run) {
    return new Council(settings, run, matchers);
  }

  private void tell(Run run, Council.Decision decision) {
    // In this order: if this worker dies now, no matcher goes by what the paths know nothing of.
    judgements.emit(decision.judgement(run));
    verdicts.emit(
        new Payload.Verdict(run, decision.resampling(), decision.owners(), decision.moves()));
  }
}
