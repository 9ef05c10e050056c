package org.cartostream.topology;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.EndMessage;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.ReadingMessage;
import org.cartostream.broker.Receiver;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.slam.sensor.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Brings what robots say from the broker into the topology.
 *
 * <p>Owns the messages that were delivered and not yet emitted. The broker delivers at most as many
 * as fit; what it has delivered it keeps until it is emitted. What is no message of ours cannot be
 * answered, for it names no robot that could be trusted: it is counted and logged.
 */
final class ScanSpout extends Spout<Party.Robots> implements Receiver, BrokerListener {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ScanSpout.class);

  private static final MeterRegistry METERS = Metrics.globalRegistry;

  /** How many messages the broker has delivered that have not been emitted yet. */
  static final String WAITING = "cartostream.spout.messages";

  /** How many messages were none of ours. */
  static final String GARBAGE = "cartostream.refused.messages";

  private final Shipped<ServiceSettings> shipped;

  private transient Outlet<Payload.Arrival> arrivals;
  private transient BrokerConnection broker;
  private transient Queue<Delivered> delivered;
  private transient Seldom refused;
  private transient Gauge waiting;
  private transient Counter garbage;

  /** The task's, to wake it when something was delivered. */
  private transient Thread mine;

  private record Delivered(Payload.Arrival arrival, Receipt receipt) {}

  ScanSpout(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Robots> ports) {
    arrivals = ports.out(Streams.ARRIVALS);
  }

  @Override
  void start() {
    mine = Thread.currentThread();
    LOG.info("loaded: {}", Loaded.versions());
    ServiceSettings settings = shipped.unpack();
    int most = settings.topology().spoutMessages();
    // After an outage, what the old link still hands over comes on top of what the new one brings.
    delivered = new ArrayBlockingQueue<>(2 * most);
    refused = new Seldom(System.nanoTime());
    waiting = Gauge.builder(WAITING, delivered::size).strongReference(true).register(METERS);
    garbage = METERS.counter(GARBAGE);
    broker = BrokerConnection.open(settings.broker(), "service, readings", this);
    broker.subscribeToReadings(most, this);
  }

  @Override
  public void nextTuple() {
    Delivered next = delivered.poll();
    if (next == null) {
      return;
    }
    arrivals.emit(next.arrival());
    next.receipt().give();
  }

  /** What an envelope from a robot says. */
  static Payload.Arrival arrival(Envelope envelope) {
    Run run = Run.of(envelope);
    if (envelope.body() instanceof ReadingMessage message) {
      return new Payload.Arrival.OfReading(
          run, envelope.sequence(), message.reading(), message.heldMap());
    }
    if (envelope.body() instanceof EndMessage end) {
      return new Payload.Arrival.OfEnd(run, end.readings(), envelope.stampNanos(), end.heldMap());
    }
    throw new RefusedMessageException(
        BrokerRefusal.BAD_VALUE.because(
            "a " + envelope.body().getClass().getSimpleName() + " does not come from a robot"));
  }

  /** Called by the connection's thread, as are the next three. */
  @Override
  public void received(Envelope envelope, Receipt receipt) {
    try (MDC.MDCCloseable named = MDC.putCloseable(Ports.ROBOT, envelope.robot())) {
      take(envelope, receipt);
    }
  }

  private void take(Envelope envelope, Receipt receipt) {
    try {
      if (delivered.offer(new Delivered(arrival(envelope), receipt))) {
        LockSupport.unpark(mine);
      } else {
        LOG.warn("the line of readings is full; dropped number {}", envelope.sequence());
        receipt.give();
      }
    } catch (RefusedMessageException e) {
      refused(e.why());
      receipt.give();
    }
  }

  @Override
  public void refused(Refusal.Because why) {
    garbage.increment();
    refused.happens(
        System.nanoTime(), count -> LOG.warn("refused a message ({} so far): {}", count, why));
  }

  /** What has no receipt yet will be delivered again, so that what is here would come twice. */
  @Override
  public void onDown(String why) {
    LOG.warn("the broker is gone: {}", why);
    delivered.clear();
  }

  @Override
  public void onUp() {
    LOG.info("the broker is back");
  }

  @Override
  public void close() {
    if (broker != null) {
      broker.close();
      METERS.remove(waiting);
      METERS.remove(garbage);
    }
  }
}
