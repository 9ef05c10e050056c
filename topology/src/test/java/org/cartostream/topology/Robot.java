package org.cartostream.topology;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/** A robot across a broker, as simple as can be: two readings unanswered at most, and none kept. */
public final class Robot implements AutoCloseable, Receiver {

  private static final int CREDIT = 2;
  private static final int PREFETCH = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(240);

  private final String name;
  private final long run = Envelope.newRun();
  private final Answers answers = new Answers();
  private final BrokerConnection broker;
  private final BrokerConnection listening;

  public Robot(String name, BrokerSettings settings) {
    this.name = name;
    broker = BrokerConnection.open(settings, "test of " + name, BrokerListener.NONE);
    listening = BrokerConnection.open(settings, "test of " + name, BrokerListener.NONE);
    listening.subscribeToAnswers(name, PREFETCH, this);
  }

  /** Takes no answers any more; its queues stay. */
  void stopsListening() {
    listening.close();
  }

  /** The number of its run. */
  long run() {
    return run;
  }

  @Override
  public String toString() {
    return name;
  }

  public Answers answers() {
    return answers;
  }

  /** Sends the readings as answers allow, then the end, and waits for the report. */
  public Robot drive(List<Reading> readings) {
    drive(readings, 1, readings.size());
    return end(readings.size());
  }

  /** Sends some of the readings as answers allow. */
  public void drive(List<Reading> readings, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      send(sequence, readings.get(sequence - 1));
      awaitAnswers(sequence - CREDIT + 1);
    }
  }

  void send(long sequence, Reading reading) {
    publish(sequence, reading.stampNanos(), new ReadingMessage(reading));
  }

  void awaitAnswers(int count) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> answers.answered() >= count);
  }

  /** Says that nothing follows, and waits for the report. */
  public Robot end(int readings) {
    publish(readings, 0, new EndMessage(readings, 0));
    await().atMost(PATIENCE).until(() -> answers.report() != null);
    return this;
  }

  private void publish(long sequence, long stampNanos, Message body) {
    if (!broker.publish(new Envelope(name, run, sequence, stampNanos, body))) {
      throw new IllegalStateException("the outbox is full");
    }
  }

  @Override
  public void received(Envelope envelope, Receipt receipt) {
    receipt.acknowledge();
    if (envelope.run() != run) {
      return; // As a gateway does: another robot of this name has had that run.
    }
    answers.hear(envelope);
    if (envelope.body() instanceof ResendRequestMessage missing) {
      publish(missing.first(), 0, new UnavailableMessage(missing.first(), missing.last()));
    }
  }

  @Override
  public void refused(Refusal.Reason why) {
    throw new AssertionError("refused an answer: " + why);
  }

  @Override
  public void close() {
    listening.close();
    broker.deleteAnswerQueues(name);
    broker.close();
  }
}
