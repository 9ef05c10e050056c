package org.cartostream.gateway;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/**
 * A service without a filter: the pose it answers with is the reading's odometry. It keeps to the
 * package rules of the broker, except where a test tells it not to.
 */
public class FakeService implements AutoCloseable, Receiver {

  /** Of each pose of a robot that makes its map. */
  public static final SymmetricMatrix3 COVARIANCE =
      new SymmetricMatrix3(0.25, -0.125, 0.0625, 0.5, 0.03125, 0.015625);

  /** One cell of it is neither surely free nor surely occupied. */
  public static final OccupancyGrid MAP =
      new OccupancyGrid(2, 2, 0.05, -1, -2, new byte[] {0, 100, -1, 40});

  /** How often each number was processed: never more than once. */
  public final Map<Long, Integer> taken = new TreeMap<>();

  public final List<Envelope> received = new CopyOnWriteArrayList<>();
  private final Map<Long, Envelope> outcomes = new TreeMap<>();
  private final List<PathPose> path = new ArrayList<>();
  private final Set<Long> mute = new HashSet<>();
  private final Set<Long> unusable = new HashSet<>();
  private final Set<Long> losing = new HashSet<>();
  private long durable;
  private long behind;
  private long askedFrom;
  private int answersEach = 1;
  private String failure = "";
  private Correction correction = Correction.NONE;
  private long run;
  private Envelope end;
  private final BrokerConnection connection;
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

  /** Null if robots make their maps. */
  private LocalisationQuality quality;

  /**
   * @param connection is closed with it
   */
  public FakeService(BrokerConnection connection) {
    this.connection = connection;
  }

  /** Begins to serve. */
  public FakeService serve() {
    connection.subscribeToReadings(10, this);
    return this;
  }

  /** Begins to serve one message at a time, each some milliseconds after it came. */
  public FakeService serveSlowly(long afterMillis) {
    connection.subscribeToReadings(
        1,
        new Receiver() {
          @Override
          public void received(Envelope envelope, Receipt receipt) {
            later.schedule(
                () -> FakeService.this.received(envelope, receipt),
                afterMillis,
                TimeUnit.MILLISECONDS);
          }

          @Override
          public void refused(Refusal.Reason why) {
            FakeService.this.refused(why);
          }
        });
    return this;
  }

  /** Messages that the broker has not confirmed. */
  public int unconfirmed() {
    return connection.unconfirmed();
  }

  public FakeService answersEverythingTwice() {
    answersEach = 2;
    return this;
  }

  /** Says that readings up to this one are in a checkpoint. */
  public FakeService hasACheckpointAt(long sequence) {
    durable = sequence;
    return this;
  }

  /** Asks for the readings behind another's checkpoint when it meets the run. */
  public FakeService goesOnBehind(long sequence) {
    behind = sequence;
    askedFrom = sequence + 1;
    return this;
  }

  public FakeService neverAnswers(long sequence) {
    mute.add(sequence);
    return this;
  }

  public FakeService cannotUse(long sequence) {
    unusable.add(sequence);
    return this;
  }

  public FakeService loses(long sequence) {
    losing.add(sequence);
    return this;
  }

  public FakeService cannotSendItsMapFor(String reason) {
    failure = reason;
    return this;
  }

  /** Each pose from now on can be believed so far. */
  public synchronized void localises(LocalisationQuality itsQuality) {
    quality = itsQuality;
  }

  /** Has closed loops; its poses are corrected by this from now on. */
  public synchronized void corrects(Correction by) {
    correction = by;
  }

  /** Says something beyond its duties to the robot that it heard first. */
  public void sends(Message message) {
    connection.publish(received.get(0).answer(message));
  }

  @Override
  public void dropped(Envelope answer) {
    connection.publish(answer);
  }

  @Override
  public synchronized void received(Envelope envelope, Receipt receipt) {
    received.add(envelope);
    if (envelope.run() != run) {
      run = envelope.run();
      taken.clear();
      outcomes.clear();
      path.clear();
      end = null;
    }
    int before = outcomes.size();
    if (askedFrom > 0 && envelope.sequence() > askedFrom) {
      ResendRequestMessage missing = new ResendRequestMessage(askedFrom, envelope.sequence() - 1);
      askedFrom = 0;
      connection.publish(envelope.answer(missing));
    }
    if (envelope.body() instanceof ReadingMessage reading) {
      take(envelope, reading.reading());
    } else if (envelope.body() instanceof EndMessage) {
      end = envelope;
    }
    if (envelope.body() instanceof EndMessage || outcomes.size() > before) {
      finishIfAllIsThere();
    }
    receipt.acknowledge();
  }

  private void take(Envelope envelope, Reading reading) {
    Envelope known = outcomes.get(envelope.sequence());
    if (known == null) {
      known = envelope.answer(OutcomeMessage.now(outcome(envelope, reading), durable));
      outcomes.put(envelope.sequence(), known);
      taken.merge(envelope.sequence(), 1, Integer::sum);
    }
    if (!mute.contains(envelope.sequence())) {
      for (int i = 0; i < answersEach; i++) {
        connection.publish(known);
      }
      connection.publish(
          envelope.answer(
              new PoseMessage(
                  new RobotPose(reading.odometry(), correction, 1, 0)
                      .withCovariance(quality == null ? COVARIANCE : SymmetricMatrix3.ZERO))));
    }
  }

  private Outcome outcome(Envelope envelope, Reading reading) {
    if (unusable.contains(envelope.sequence())) {
      return Outcome.Refused.of(ReadingRefusal.ODOMETRY_JUMP.because("to the moon"));
    }
    if (losing.contains(envelope.sequence())) {
      return new Outcome.Lost("a task died");
    }
    path.add(new PathPose(envelope.sequence(), reading.stampNanos(), reading.odometry()));
    return new Outcome.Processed(
        new RobotPose(reading.odometry(), correction, 15, 2.5)
            .withQuality(quality)
            .withCovariance(quality == null ? COVARIANCE : SymmetricMatrix3.ZERO),
        false,
        2_000_000);
  }

  private long missing(long readings) {
    return readings - outcomes.size() - behind;
  }

  private void finishIfAllIsThere() {
    if (end == null || missing(((EndMessage) end.body()).readings()) > 0) {
      return;
    }
    path.sort(Comparator.comparing(PathPose::sequence));
    TrajectoryMessage.partsOf(path).forEach(part -> connection.publish(end.answer(part)));
    if (failure.isEmpty()) {
      connection.publish(end.answer(MapMessage.ofEnd(MAP)));
    }
    FinishedMessage report =
        new FinishedMessage(
            path.size(),
            unusable.size(),
            0,
            Map.of("match", 1000L),
            3,
            4000,
            5000,
            30,
            OdometryStatistics.NONE,
            1,
            TaskBalance.NONE,
            RecoveryReport.NONE,
            LoopClosureReport.NONE,
            0,
            failure);
    connection.publish(end.answer(report));
  }

  @Override
  public void refused(Refusal.Reason why) {
    throw new IllegalStateException("the gateway sent garbage: " + why);
  }

  /** Stops serving, after everything has left. */
  @Override
  public void close() {
    later.shutdownNow();
    connection.close();
  }

  /** Where the odometry of reading {@code i} is. */
  public static Pose pose(long i) {
    return new Pose(0.1 * i, 0, 0);
  }
}
