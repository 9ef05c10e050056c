package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.settings.TopologySettings;

/**
 * The particles that a localised robot is sent, for people to see, not too often.
 *
 * <p>Owns the time of the next ones.
 */
final class ParticleClouds {

  private final TopologySettings settings;
  private final LongSupplier nanoTime;
  private long nextAt;

  ParticleClouds(TopologySettings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.nextAt = nanoTime.getAsLong();
  }

  /** Those at a reading that has entered; empty if none are due, or there are none. */
  Optional<ParticlesMessage> at(Step step, RunPaths paths) {
    long now = nanoTime.getAsLong();
    if (now - nextAt < 0) {
      return Optional.empty();
    }
    Optional<ParticlesMessage> particles = paths.particles(step, settings.cloudParticles());
    nextAt = particles.isEmpty() ? now : now + settings.cloudIntervalNanos();
    return particles;
  }
}
