package org.cartostream.topology.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.GoneMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.task.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the robots' messages from the broker, for the dispatcher. What is no message of ours cannot
 * be answered, for it names no robot that could be trusted: it is counted and logged.
 *
 * <p>Owns the connection. The broker delivers at most so many messages as may be without receipt,
 * and delivers again, to whoever takes this one's place, those that were not acknowledged.
 */
public final class ArrivalReceiver implements Receiver, BrokerListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ArrivalReceiver.class);
  private static final MeterRegistry METERS = Metrics.globalRegistry;

  /** How many messages the broker has delivered that are in no checkpoint yet. */
  static final String WAITING = "cartostream.unacknowledged.messages";

  /** How many messages were none of ours. */
  static final String GARBAGE = "cartostream.refused.messages";

  private final StreamOutput.Direct<Payload.Arrival> arrivals;
  private final Receipts receipts;
  private final RateLimitedLog refused = new RateLimitedLog(System.nanoTime());
  private final Gauge waiting;
  private final Counter garbage;
  private final BrokerConnection broker;

  private ArrivalReceiver(
      BrokerSettings settings, StreamOutput.Direct<Payload.Arrival> arrivals, Receipts receipts) {
    this.arrivals = arrivals;
    this.receipts = receipts;
    this.waiting = Gauge.builder(WAITING, receipts::count).strongReference(true).register(METERS);
    this.garbage = METERS.counter(GARBAGE);
    this.broker = BrokerConnection.open(settings, "service, readings", this);
  }

  /**
   * Takes messages from now on.
   *
   * @param most how many may be without receipt
   * @param arrivals where they go, from the connection's thread
   */
  static ArrivalReceiver open(
      BrokerSettings settings,
      int most,
      StreamOutput.Direct<Payload.Arrival> arrivals,
      Receipts receipts) {
    ArrivalReceiver receiver = new ArrivalReceiver(settings, arrivals, receipts);
    receiver.broker.subscribeToReadings(most, receiver);
    return receiver;
  }

  /** The message in an envelope from a robot. */
  public static Payload.Arrival arrival(Envelope envelope) {
    Run run = Run.of(envelope);
    if (envelope.body() instanceof ReadingMessage message) {
      return new Payload.Arrival.OfReading(
          run, envelope.sequence(), message.reading(), message.heldMap());
    }
    if (envelope.body() instanceof EndMessage end) {
      return new Payload.Arrival.OfEnd(run, end.readings(), envelope.stampNanos(), end.heldMap());
    }
    if (envelope.body() instanceof GoneMessage gone) {
      return new Payload.Arrival.OfGone(run, gone.first(), gone.last());
    }
    throw new RefusedMessageException(
        BrokerRefusal.BAD_VALUE.because(
            "a " + envelope.body().getClass().getSimpleName() + " does not come from a robot"));
  }

  /** The number by which the message's receipt is known. */
  static long number(Payload.Arrival arrival) {
    if (arrival instanceof Payload.Arrival.OfReading) {
      return arrival.sequence();
    }
    return arrival instanceof Payload.Arrival.OfEnd ? Receipts.END : Receipts.GONE;
  }

  /** Called by the connection's thread, as are the next three. */
  @Override
  public void received(Envelope envelope, Receipt receipt) {
    try {
      Payload.Arrival arrival = arrival(envelope);
      receipts.add(arrival.run(), number(arrival), receipt);
      arrivals.emit(0, arrival);
    } catch (RefusedMessageException e) {
      refused(e.why());
      receipt.acknowledge();
    }
  }

  @Override
  public void refused(Refusal.Reason why) {
    garbage.increment();
    refused.record(
        System.nanoTime(), count -> LOG.warn("refused a message ({} so far): {}", count, why));
  }

  @Override
  public void onDown(String why) {
    LOG.warn("the broker is gone: {}", why);
    receipts.clear();
  }

  @Override
  public void onUp() {
    LOG.info("the broker is back");
  }

  @Override
  public void close() {
    broker.close();
    METERS.remove(waiting);
    METERS.remove(garbage);
  }
}
