package org.cartostream.broker.message;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;

/**
 * Some of a robot's particles, as they were weighed at the reading whose number the envelope
 * carries; service to robot. To be shown only: sent now and then, and a newer message replaces an
 * older one.
 *
 * @param poses poses in the {@code map} frame, drawn by the particles' weights, so that all count
 *     alike
 * @param tasks number of the topology's task that weighed each particle, from 0
 */
public record ParticlesMessage(List<Pose> poses, List<Integer> tasks) implements Message {

  public ParticlesMessage {
    poses = List.copyOf(poses);
    tasks = List.copyOf(tasks);
    if (poses.size() != tasks.size()) {
      throw new IllegalArgumentException(
          poses.size() + " particles with " + tasks.size() + " tasks; each has one");
    }
  }

  /** Returns the message with the particles of certain numbers. */
  public static ParticlesMessage of(int[] drawn, IntFunction<Pose> poses, IntUnaryOperator tasks) {
    return new ParticlesMessage(
        IntStream.of(drawn).mapToObj(poses).toList(),
        IntStream.of(drawn).map(tasks).boxed().toList());
  }
}
