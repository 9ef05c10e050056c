package org.cartostream.topology;

import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.RefusedMessageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the robots what became of their readings, where they are, and what their maps look like.
 *
 * <p>Owns one {@link Chronicle} per robot, and the connection by which answers leave. What the
 * connection does not take, because the broker has been away for long, is dropped with a warning: a
 * robot asks again for what it misses.
 */
final class PublisherBolt extends Bolt<Party.Publisher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PublisherBolt.class);

  private final Shipped<ServiceSettings> shipped;

  private transient ServiceSettings settings;
  private transient int matchers;
  private transient BrokerConnection broker;
  private transient Latest<Chronicle> chronicles;
  private transient long dropped;

  PublisherBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Publisher> ports) {
    ports.on(Streams.ADMITTED, admitted -> of(admitted.run()).admitted(admitted.step()));
    ports.on(Streams.JUDGEMENTS, this::judgement);
    ports.on(Streams.SERVED, this::served);
    ports.on(Streams.TURNED, turned -> of(turned.run()).turned(turned));
    ports.on(Streams.MISSING, missing -> of(missing.run()).missing(missing));
    ports.on(Streams.AGAIN, again -> of(again.run()).again(again));
    ports.on(Streams.ENDED, ended -> of(ended.run()).ended(ended));
    ports.on(Streams.PUBLISHER_OVER, over -> chronicles.end(over.run()));
  }

  @Override
  void start(Place place) {
    settings = shipped.unpack();
    matchers = place.matchers();
    chronicles = new Latest<>();
    broker = BrokerConnection.open(settings.broker(), "service, answers", BrokerListener.NONE);
  }

  /**
   * The dispatcher ends a run before it begins the next, so its word always finds the chronicle.
   */
  private Chronicle of(Run run) {
    return chronicles.begin(run, this::begin);
  }

  private Chronicle begin(Run run) {
    return new Chronicle(run, settings.filter(), settings.topology(), matchers, this::say);
  }

  /** The resampler's word may come late, when a later run has begun. */
  private void judgement(Payload.Judgement judgement) {
    Chronicle chronicle = of(judgement.run());
    if (chronicle != null) {
      chronicle.judged(judgement);
    }
  }

  private void served(Payload.Served served) {
    Chronicle chronicle = of(served.run());
    chronicle.served(served);
    chronicle.drawMapIfDue(System.nanoTime());
  }

  private void say(Envelope envelope) {
    try {
      if (!broker.publish(envelope)) {
        dropped++;
        LOG.warn("the broker does not take answers; {} dropped so far", dropped);
      }
    } catch (RefusedMessageException e) {
      LOG.warn("an answer to {} cannot be sent: {}", envelope.robot(), e.getMessage());
    }
  }

  @Override
  public void cleanup() {
    if (broker != null) {
      broker.close();
    }
  }
}
