package org.cartostream.broker;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;

/** Envelopes and receivers that tests share. */
final class Examples {

  static final Duration SOON = Duration.ofSeconds(20);

  private Examples() {}

  /** Waits for what comes soon, and looks often. */
  static ConditionFactory soon() {
    return await().atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  static Envelope reading(String robot, long sequence) {
    Scan scan = new Scan(Pose.ORIGIN, -1.5, 0.01, 0.1, 30, new float[] {1, 2, sequence});
    Reading reading = new Reading(1000 * sequence, new Pose(sequence, 0.5, 0.25), scan);
    return new Envelope(robot, 7, sequence, 1000 * sequence, new ReadingMessage(reading));
  }

  static Envelope pose(String robot, long sequence) {
    return new Envelope(robot, 7, sequence, 0, new PoseMessage(new Pose(sequence, 0, 0)));
  }

  static Envelope outcome(String robot, long sequence) {
    Outcome processed = new Outcome.Processed(new Pose(sequence, 0, 0), 12.5, 2.5, true, 1_000_000);
    return new Envelope(robot, 7, sequence, 0, new OutcomeMessage(processed, 77));
  }

  /** Keeps what comes; gives receipts at once, or never. */
  static class Collector implements Receiver {

    final List<Long> sequences = new CopyOnWriteArrayList<>();
    final List<Envelope> envelopes = new CopyOnWriteArrayList<>();
    final List<Refusal.Because> refusals = new CopyOnWriteArrayList<>();
    private final boolean receipts;

    Collector(boolean receipts) {
      this.receipts = receipts;
    }

    @Override
    public void received(Envelope envelope, Receipt receipt) {
      envelopes.add(envelope);
      sequences.add(envelope.sequence());
      if (receipts) {
        receipt.give();
      }
    }

    @Override
    public void refused(Refusal.Because why) {
      refusals.add(why);
    }
  }

  /** Counts outages. */
  static final class Outages implements BrokerListener {

    final List<String> downs = new CopyOnWriteArrayList<>();
    final List<String> ups = new CopyOnWriteArrayList<>();

    @Override
    public void onDown(String why) {
      downs.add(why);
    }

    @Override
    public void onUp() {
      ups.add("up");
    }
  }
}
