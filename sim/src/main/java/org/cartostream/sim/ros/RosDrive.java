package org.cartostream.sim.ros;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.node.RosNode;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.robot.Simulation;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * Exploration of a simulated robot in a ROS graph: publishes what the robot reads, and compares the
 * poses that a gateway publishes on {@code cartostream/pose} with the true ones.
 *
 * <p>Owns the drivers' topics, the readings, the true path, and the poses received.
 */
public final class RosDrive {

  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Time without a pose, after the last scan, at which no more poses are awaited; nanoseconds. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Supplier<Simulation> begun;
  private final double rate;
  private final RosRobot robot;
  private final List<Reading> readings = new ArrayList<>();
  private final List<StampedPose> reference = new ArrayList<>();
  private final Map<Long, Pose> answers = new ConcurrentSkipListMap<>();
  private volatile long answeredAtNanos;

  /**
   * @param begun creates the simulation when the drive begins, so that its stamps begin at that
   *     time
   * @param rate speed of the drive as a multiple of a real robot's
   */
  public RosDrive(RosNode node, Supplier<Simulation> begun, double rate) {
    this.begun = begun;
    this.rate = rate;
    robot = new RosRobot(node);
    node.subscribe("cartostream/pose", PoseStamped.TYPE, this::onPose);
  }

  private void onPose(PoseStamped message) {
    double half = Math.atan2(message.pose().orientation().z(), message.pose().orientation().w());
    Pose pose = new Pose(message.pose().position().x(), message.pose().position().y(), 2 * half);
    answers.put(message.header().stamp(), pose);
    answeredAtNanos = System.nanoTime();
  }

  /** Waits until the robot's topics have subscribers; returns false if that was cancelled. */
  public boolean awaitSubscriber(BooleanSupplier cancelled) {
    while (!robot.hasSubscribers() && !cancelled.getAsBoolean()) {
      LockSupport.parkNanos(GLANCE_NANOS);
    }
    return !cancelled.getAsBoolean();
  }

  /**
   * Explores until everything has been seen or the drive is cancelled; then waits for the last
   * poses.
   */
  public void run(BooleanSupplier cancelled) {
    Simulation simulation = begun.get();
    long period = (long) (simulation.periodNanos() / rate);
    long due = System.nanoTime();
    while (simulation.hasNext() && !cancelled.getAsBoolean()) {
      step(simulation.next());
      due = Math.max(due + period, System.nanoTime()); // No bursts: they would be lost.
      LockSupport.parkNanos(due - System.nanoTime());
    }
    answeredAtNanos = System.nanoTime();
    while (!isAnswered() && !cancelled.getAsBoolean()) {
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }

  private void step(Simulation.Sample sample) {
    Reading reading = sample.reading();
    if (readings.isEmpty()) {
      robot.publishLaserMount(reading.scan().mount());
    }
    readings.add(reading);
    reference.add(new StampedPose(reading.stampNanos(), sample.truth()));
    robot.publishClock(reading.stampNanos());
    robot.publishOdometry(reading.stampNanos(), reading.odometry());
    robot.publishScan(reading.stampNanos(), reading.scan());
  }

  private boolean isAnswered() {
    boolean last =
        !readings.isEmpty() && answers.containsKey(readings.get(readings.size() - 1).stampNanos());
    return last || System.nanoTime() - answeredAtNanos > QUIET_NANOS;
  }

  /** Returns the robot's readings with its true poses. */
  public Recording recording() {
    return new Recording(readings, reference);
  }

  /**
   * Returns the error of the gateway's poses, against the true poses at their stamps.
   *
   * @throws EvaluationException if fewer than two poses came
   */
  public TrajectoryError error() throws EvaluationException {
    List<StampedPose> estimate =
        answers.entrySet().stream()
            .map(answer -> new StampedPose(answer.getKey(), answer.getValue()))
            .toList();
    List<StampedPose> truth =
        reference.stream().filter(pose -> answers.containsKey(pose.stampNanos())).toList();
    return TrajectoryError.of(estimate, truth);
  }
}
