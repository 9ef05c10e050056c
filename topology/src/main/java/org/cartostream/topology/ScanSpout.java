package org.cartostream.topology;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.LibraryVersions;
import org.cartostream.topology.task.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Takes the robots' messages from the broker into the topology.
 *
 * <p>Owns the messages that were delivered and not yet emitted. The broker delivers at most as many
 * as fit; what it has delivered it keeps until it is emitted. What is no message of ours cannot be
 * answered, for it names no robot that could be trusted: it is counted and logged.
 */
final class ScanSpout extends Spout<Component.Robots> implements Receiver, BrokerListener {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ScanSpout.class);

  private static final MeterRegistry METERS = Metrics.globalRegistry;

  /** How many messages the broker has delivered that have not been emitted yet. */
  static final String WAITING = "cartostream.spout.messages";

  /** How many messages were none of ours. */
  static final String GARBAGE = "cartostream.refused.messages";

  private final SerializedSettings<ServiceSettings> serializedSettings;

  private transient StreamOutput<Payload.Arrival> arrivals;
  private transient BrokerConnection broker;
  private transient Queue<Delivered> delivered;
  private transient RateLimitedLog refused;
  private transient Gauge waiting;
  private transient Counter garbage;

  /** The task's, to wake it when something was delivered. */
  private transient Thread mine;

  private record Delivered(Payload.Arrival arrival, Receipt receipt) {}

  ScanSpout(SerializedSettings<ServiceSettings> serializedSettings) {
    this.serializedSettings = serializedSettings;
  }

  @Override
  void wire(StreamPorts<Component.Robots> streamPorts) {
    arrivals = streamPorts.out(Streams.ARRIVALS);
  }

  @Override
  void start() {
    mine = Thread.currentThread();
    LOG.info("loaded: {}", LibraryVersions.versions());
    ServiceSettings settings = serializedSettings.unpack();
    int most = settings.topology().spoutMessages();
    // After an outage, what the old link still hands over comes on top of what the new one brings.
    delivered = new ArrayBlockingQueue<>(2 * most);
    refused = new RateLimitedLog(System.nanoTime());
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
    next.receipt().acknowledge();
  }

  /** The message in an envelope from a robot. */
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
    try (MDC.MDCCloseable named = MDC.putCloseable(StreamPorts.ROBOT, envelope.robot())) {
      take(envelope, receipt);
    }
  }

  private void take(Envelope envelope, Receipt receipt) {
    try {
      if (delivered.offer(new Delivered(arrival(envelope), receipt))) {
        LockSupport.unpark(mine);
      } else {
        LOG.warn("the line of readings is full; dropped number {}", envelope.sequence());
        receipt.acknowledge();
      }
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
