package org.cartostream.sim.robot;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.SdfException;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;

/**
 * Iterator over a simulated robot's exploration of a world: one sample for each scan, as fast as
 * they are asked for. One seed gives the same samples on every machine.
 *
 * <p>Owns the robot and the time of the next sample.
 */
public final class Simulation implements Iterator<Simulation.Sample> {

  /**
   * Reading of a robot, with the robot's true pose at the same moment.
   *
   * @param truth pose of the base in the world's frame
   */
  public record Sample(Reading reading, Pose truth) {}

  /** Maximum duration of an exploration by the robot's clock: a longer one has gone wrong. */
  private static final long MAX_SECONDS = 7200;

  private final SimulatedRobot robot;
  private final FrontierExplorer frontierExplorer;
  private final long periodNanos;
  private final long endNanos;
  private long stampNanos;
  private boolean over;

  /**
   * @param firstStampNanos stamp of the first reading, nanoseconds since 1970-01-01 UTC by the
   *     robot's clock
   */
  public Simulation(SdfWorld world, long seed, long firstStampNanos) {
    Lidar lidar = world.lidar();
    robot = new SimulatedRobot(world.world(), lidar, world.start(), seed);
    frontierExplorer = new FrontierExplorer(robot, lidar.periodSeconds());
    periodNanos = Math.round(lidar.periodSeconds() * TimeUnit.SECONDS.toNanos(1));
    stampNanos = firstStampNanos;
    endNanos = firstStampNanos + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
  }

  /** Returns the time from one sample to the next, nanoseconds. */
  public long periodNanos() {
    return periodNanos;
  }

  /** Returns false if everything has been seen and the robot is back at its start. */
  @Override
  public boolean hasNext() {
    return !over;
  }

  /**
   * Returns the next sample, and drives on until the one after it is due.
   *
   * @throws SdfException if the world is not explored after two hours
   */
  @Override
  public Sample next() {
    if (over) {
      throw new NoSuchElementException("the robot is home");
    }
    Sample sample =
        new Sample(new Reading(stampNanos, robot.odometry(), robot.scan()), robot.truth());
    stampNanos += periodNanos;
    if (stampNanos > endNanos) {
      throw new SdfException(
          "the world cannot be explored: after "
              + MAX_SECONDS
              + " s of driving there is still something unseen, or no way home");
    }
    over = !frontierExplorer.drive(sample.reading().scan());
    return sample;
  }
}
