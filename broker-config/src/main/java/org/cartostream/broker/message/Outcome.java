package org.cartostream.broker.message;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.Correction;

/**
 * The outcome of a reading. Each reading that is sent gets exactly one; what the service drops
 * without one is sent again.
 */
public sealed interface Outcome {

  /**
   * The filter took it in.
   *
   * @param local the robot's pose by all particles, as the filter has it
   * @param correction that carries it to the {@code map} frame
   * @param effectiveSampleSize Neff after the reading, from 1 to the number of particles
   * @param entropy of the particles' weights after the reading, nats
   * @param searched true if odometry was doubted, so that a wide search was needed
   * @param serviceNanos nanoseconds from admission to the filter until every task was ready again
   * @param quality how far the pose can be believed; null if the robot makes its map
   */
  record Processed(
      Pose local,
      Correction correction,
      double effectiveSampleSize,
      double entropy,
      boolean searched,
      long serviceNanos,
      LocalisationQuality quality)
      implements Outcome {

    /** Of a robot that makes its map. */
    public Processed(
        Pose local,
        Correction correction,
        double effectiveSampleSize,
        double entropy,
        boolean searched,
        long serviceNanos) {
      this(local, correction, effectiveSampleSize, entropy, searched, serviceNanos, null);
    }

    /** The robot's pose in the {@code map} frame. */
    public Pose pose() {
      return correction.apply(local);
    }
  }

  /**
   * The reading could not be used.
   *
   * @param refusal the refusal's name, under which it is counted
   * @param sentence for people: what was wrong with which value
   */
  record Refused(String refusal, String sentence) implements Outcome {

    public static Refused of(Refusal.Reason why) {
      return new Refused(why.refusal().name(), why.toString());
    }
  }

  /**
   * The service had it, and does not know any more whether the filter took it in.
   *
   * @param sentence for people: how it was lost
   */
  record Lost(String sentence) implements Outcome {}
}
