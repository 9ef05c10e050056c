package org.cartostream.run.observer;

import java.util.function.IntFunction;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.web.observer.RunObserver;

/**
 * Reporter of the serial engine's particles to an observer, at the readings at which a service
 * reports them, without any effect on the filter. Owns the number of the next such reading.
 */
public final class OnlineParticleReporter {

  private final RunObserver observer;
  private final TopologySettings settings;
  private long next = 1;

  public OnlineParticleReporter(RunObserver observer, TopologySettings settings) {
    this.observer = observer;
    this.settings = settings;
  }

  /**
   * Reports the particles, if they are due at the latest key frame. Called after each reading that
   * the filter has processed or refused.
   *
   * @param keyFrame number of the latest reading at which particles were weighed
   * @param drawn returns the numbers of a given count of particles, drawn as a sample
   * @param poses returns the pose of a particle in the {@code map} frame, by the particle's number
   * @param stampNanos stamp of the reading, nanoseconds
   */
  public void after(
      long keyFrame, IntFunction<int[]> drawn, IntFunction<Pose> poses, long stampNanos) {
    int max = settings.cloudParticles();
    if (observer == RunObserver.NONE || max == 0 || keyFrame < next) {
      return;
    }
    next = keyFrame + settings.cloudReadings();
    observer.particles(ParticlesMessage.of(drawn.apply(max), poses, particle -> 0), stampNanos);
  }
}
