package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.settings.TopologySettings;

/**
 * Publisher of one run's particles to its robot, for display, at a limited rate. In a known map the
 * rate is by time, since the gateway publishes the particles to ROS; in mapping it is by readings,
 * so that a recording does not depend on time.
 *
 * <p>Owns the time, and the reading, at which the next particles are due.
 */
final class ParticleCloudPublisher {

  private final TopologySettings settings;
  private final LongSupplier nanoTime;
  private long nextAt;
  private long nextReading;

  ParticleCloudPublisher(TopologySettings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.nextAt = nanoTime.getAsLong();
  }

  /**
   * Returns the message with particles at a reading that has entered the path; empty if it is not
   * due, or no particles were weighed.
   */
  Optional<ParticlesMessage> at(Step step, RunPaths paths) {
    long now = nanoTime.getAsLong();
    boolean makesMap = paths.current().quality() == null;
    if (makesMap ? step.sequence() < nextReading : now - nextAt < 0) {
      return Optional.empty();
    }
    Optional<ParticlesMessage> particles = paths.particles(step, settings.cloudParticles());
    if (particles.isPresent()) {
      nextAt = now + settings.cloudIntervalNanos();
      nextReading = step.sequence() + settings.cloudReadings();
    }
    return particles;
  }
}
