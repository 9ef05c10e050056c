package org.cartostream.topology.arrival;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.metrics.Readiness;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.task.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receiver of the robots' messages from the broker, for the dispatcher. Malformed messages are
 * counted and logged, but not answered, since the robot that they name cannot be trusted.
 *
 * <p>Owns the connection to the broker, and the {@link FairQueue} by which robots take turns. The
 * broker delivers at most {@code topology.prefetchMessages} of a robot's messages before they are
 * acknowledged. When another receiver takes this one's place, the broker delivers it the messages
 * that were not acknowledged.
 */
public final class ArrivalReceiver implements Receiver, BrokerListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ArrivalReceiver.class);
  private static final MeterRegistry METERS = Metrics.globalRegistry;

  /**
   * Name of the gauge of messages that the broker has delivered and that are in no checkpoint yet.
   */
  static final String WAITING = "cartostream.unacknowledged.messages";

  /**
   * Messages not acknowledged yet, of all open receivers; a process has one gauge for all of them.
   */
  private static final Set<PendingAcks> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Gauge.builder(WAITING, OPEN, open -> open.stream().mapToInt(PendingAcks::count).sum())
        .description("Messages from the broker that are in no checkpoint yet")
        .register(METERS);
  }

  /** Time between checks whether messages beyond their robot's rate may go on, milliseconds. */
  private static final long DUE_MILLIS = 10;

  /** Name of the counter of messages that are not in this service's format. */
  static final String GARBAGE = "cartostream.refused.messages";

  /** Name of the counter of dropped messages beyond their robot's share, by reason. */
  static final String DROPPED = "cartostream.dropped.messages";

  /** Maximum size of a reading's message without its ranges, bytes. */
  private static final int READING_BYTES = 4096;

  private final StreamOutput.Direct<Payload.Arrival> arrivals;
  private final int maxReadingBytes;
  private final PendingAcks pendingAcks;
  private final FairQueue fairQueue;
  private final RateLimitedLog refused = new RateLimitedLog(System.nanoTime());
  private final RateLimitedLog dropped = new RateLimitedLog(System.nanoTime());
  private final Counter garbage;
  private final Readiness ready;
  private final BrokerConnection broker;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("arrivals", true));

  private ArrivalReceiver(
      ServiceSettings settings,
      StreamOutput.Direct<Payload.Arrival> arrivals,
      PendingAcks pendingAcks,
      Readiness ready) {
    this.ready = ready;
    this.fairQueue = new FairQueue(settings.topology(), settings.broker().maxMessageBytes());
    this.maxReadingBytes =
        READING_BYTES + Float.BYTES * settings.filter().readingFilter().maxBeams();
    this.arrivals = arrivals;
    this.pendingAcks = pendingAcks;
    OPEN.add(pendingAcks);
    this.garbage =
        Counter.builder(GARBAGE).description("Invalid messages from the broker").register(METERS);
    this.broker = BrokerConnection.open(settings.broker(), "service, readings", this);
  }

  /**
   * Opens a receiver, which takes messages from now on.
   *
   * @param arrivals stream on which the connection's thread sends messages to the dispatcher
   * @param pendingAcks takes the messages, to be acknowledged later
   * @param ready health check that shows whether the broker is connected; closed with the receiver
   */
  public static ArrivalReceiver open(
      ServiceSettings settings,
      StreamOutput.Direct<Payload.Arrival> arrivals,
      PendingAcks pendingAcks,
      Readiness ready) {
    ArrivalReceiver receiver = new ArrivalReceiver(settings, arrivals, pendingAcks, ready);
    receiver.broker.subscribeToReadings(settings.topology().prefetchMessages(), receiver);
    receiver.clock.scheduleAtFixedRate(
        receiver::emitDue, DUE_MILLIS, DUE_MILLIS, TimeUnit.MILLISECONDS);
    ready.set(true);
    return receiver;
  }

  /**
   * Returns the content of an envelope from a robot.
   *
   * @throws RefusedMessageException if robots do not send such messages
   */
  public static Payload.Arrival arrival(Envelope envelope) {
    Run run = Run.of(envelope);
    if (envelope.body() instanceof ReadingMessage message) {
      if (message.knownMap() != null && envelope.sequence() != 1) {
        throw BrokerRefusal.BAD_VALUE.exception(
            "a known map with reading " + envelope.sequence() + "; a run has it with its first");
      }
      return new Payload.Arrival.OfReading(
          run,
          envelope.sequence(),
          message.reading(),
          message.heldMap(),
          message.knownMap(),
          message.initialPose());
    }
    if (envelope.body() instanceof EndMessage end) {
      return new Payload.Arrival.OfEnd(run, end.readings(), envelope.stampNanos(), end.heldMap());
    }
    if (envelope.body() instanceof UnavailableMessage gone) {
      return new Payload.Arrival.OfGone(run, gone.first(), gone.last());
    }
    throw new RefusedMessageException(
        BrokerRefusal.BAD_VALUE.because(
            "a " + envelope.body().getClass().getSimpleName() + " does not come from a robot"));
  }

  /** Returns true if a message can be the first of its run. */
  public static boolean isFirst(Payload.Arrival arrival) {
    boolean isEnd = arrival instanceof Payload.Arrival.OfEnd;
    return arrival.sequence() <= (isEnd ? 0 : 1);
  }

  /** Returns the number of a message in {@link PendingAcks}. */
  public static long number(Payload.Arrival arrival) {
    if (arrival instanceof Payload.Arrival.OfReading) {
      return arrival.sequence();
    }
    return arrival instanceof Payload.Arrival.OfEnd ? PendingAcks.END : PendingAcks.GONE;
  }

  /**
   * Returns true if a message is to be decoded. A message that is larger than any valid reading is
   * not decoded if its robot has used up its share of bytes in such messages. The connection's
   * thread calls this and the other methods of {@link Receiver} and {@link BrokerListener}.
   */
  @Override
  public boolean accepts(String robot, int bytes) {
    long now = System.nanoTime();
    boolean accepts = bytes <= maxReadingBytes || fairQueue.takesLarge(robot, bytes, now);
    if (!accepts) {
      drop("robot " + robot, FairQueue.Decision.TOO_LARGE, now);
    }
    return accepts;
  }

  @Override
  public void received(Envelope envelope, Receipt receipt) {
    try {
      Payload.Arrival arrival = arrival(envelope);
      long now = System.nanoTime();
      FairQueue.Decision decision =
          fairQueue.receive(
              arrival,
              receipt.isRedelivered(),
              now,
              () -> pendingAcks.add(arrival.run(), number(arrival), receipt));
      if (decision != FairQueue.Decision.TAKEN) {
        drop(arrival.run().toString(), decision, now);
        dropped(envelope.answer(new DroppedMessage("more than its robot's share: " + decision)));
        receipt.acknowledge();
        return;
      }
      emitNext(arrival.run());
    } catch (RefusedMessageException e) {
      refused(e.why());
      receipt.acknowledge();
    }
  }

  /** Tells a robot that a message of its own was dropped, at most once a second. */
  @Override
  public void dropped(Envelope answer) {
    if (fairQueue.mayTell(answer.robot(), System.nanoTime())) {
      broker.publish(answer);
    }
  }

  private void drop(String whose, FairQueue.Decision why, long now) {
    countDropped(why.name());
    dropped.record(
        now,
        count ->
            LOG.warn("dropped a message of {} ({} so far, of all robots): {}", whose, count, why));
  }

  /** Counts a message that was dropped as it exceeded its robot's share. */
  public static void countDropped(String reason) {
    Counter.builder(DROPPED)
        .tag("reason", reason)
        .description("Messages dropped because they exceeded their robot's share")
        .register(METERS)
        .increment();
  }

  private void emitNext(Run run) {
    Payload.Arrival next = fairQueue.next(run, System.nanoTime());
    if (next != null) {
      arrivals.emit(0, next);
    }
  }

  /**
   * Emits the messages that have waited because their robots sent more than their rate, and are due
   * now.
   */
  private void emitDue() {
    try {
      fairQueue.due(System.nanoTime()).forEach(next -> arrivals.emit(0, next));
    } catch (RuntimeException e) { // The executor stops a periodic task that throws.
      LOG.error("messages of robots did not go on to the dispatcher", e);
    }
  }

  /** Notes that the dispatcher has taken a message of a robot, and emits the robot's next one. */
  public void arrived(Run run) {
    fairQueue.arrived(run);
    emitNext(run);
  }

  /** Forgets robots that send nothing; the dispatcher's tick calls this. */
  public void tick() {
    fairQueue.forgetIdle(System.nanoTime());
  }

  /** Returns sentences about the robots whose messages were dropped since the last call. */
  public List<String> troubles() {
    return fairQueue.troubles();
  }

  @Override
  public void refused(Refusal.Reason why) {
    if (why.refusal() == BrokerRefusal.NO_ROOM) {
      countDropped(BrokerRefusal.NO_ROOM.name());
    } else {
      garbage.increment();
    }
    refused.record(
        System.nanoTime(), count -> LOG.warn("refused a message ({} so far): {}", count, why));
  }

  @Override
  public void onDown(String why) {
    LOG.warn("the broker is gone: {}", why);
    ready.set(false);
    fairQueue.clearWaiting();
    pendingAcks.clear();
  }

  @Override
  public void onUp() {
    LOG.info("the broker is back");
    ready.set(true);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    ready.close();
    broker.close();
    OPEN.remove(pendingAcks);
  }
}
