package org.cartostream.broker;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;

/** Envelopes and receivers that tests share. */
public final class Examples {

  public static final Duration SOON = Duration.ofSeconds(20);

  private static final Correction CORRECTION = new Correction(3, new Pose(0.5, -2, 0.1), 0.75);

  private Examples() {}

  /** Waits for what comes soon, and looks often. */
  public static ConditionFactory soon() {
    return await().atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  public static Envelope reading(String robot, long sequence) {
    Scan scan = new Scan(Pose.ORIGIN, -1.5, 0.01, 0.1, 30, new float[] {1, 2, sequence});
    Reading reading = new Reading(1000 * sequence, new Pose(sequence, 0.5, 0.25), scan);
    return new Envelope(robot, 7, sequence, 1000 * sequence, new ReadingMessage(reading));
  }

  public static Envelope pose(String robot, long sequence) {
    return new Envelope(
        robot,
        7,
        sequence,
        0,
        new PoseMessage(new RobotPose(new Pose(sequence, 0, 0), CORRECTION, 1, 0)));
  }

  public static Envelope outcome(String robot, long sequence) {
    Pose local = new Pose(sequence, 0, 0);
    Outcome processed =
        new Outcome.Processed(new RobotPose(local, CORRECTION, 12.5, 2.5), true, 1_000_000);
    return new Envelope(robot, 7, sequence, 0, new OutcomeMessage(processed, 77, 40));
  }

  /** Keeps what comes; gives receipts at once, or never. */
  public static class Collector implements Receiver {

    public final List<Long> sequences = new CopyOnWriteArrayList<>();
    public final List<Envelope> envelopes = new CopyOnWriteArrayList<>();
    public final List<Long> redelivered = new CopyOnWriteArrayList<>();
    public final List<Refusal.Reason> refusals = new CopyOnWriteArrayList<>();
    private final boolean pendingAcks;

    public Collector(boolean pendingAcks) {
      this.pendingAcks = pendingAcks;
    }

    @Override
    public void received(Envelope envelope, Receipt receipt) {
      envelopes.add(envelope);
      if (receipt.isRedelivered()) {
        redelivered.add(envelope.sequence());
      }
      sequences.add(envelope.sequence());
      if (pendingAcks) {
        receipt.acknowledge();
      }
    }

    @Override
    public void refused(Refusal.Reason why) {
      refusals.add(why);
    }
  }

  /** Counts outages. */
  public static final class Outages implements BrokerListener {

    public final List<String> downs = new CopyOnWriteArrayList<>();
    public final List<String> ups = new CopyOnWriteArrayList<>();

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
