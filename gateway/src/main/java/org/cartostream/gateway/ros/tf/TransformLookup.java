package org.cartostream.gateway.ros.tf;

/** The result of looking up the transform between two frames at a time. */
public sealed interface TransformLookup {

  /** Transform that was found. */
  record Found(RigidTransform motion) implements TransformLookup {}

  /** Absence of any way from one frame to the other. */
  record Unconnected() implements TransformLookup {}

  /**
   * The time lies after all that is known; more may come.
   *
   * @param newestNanos the stamp up to which all is known
   */
  record NotYet(long newestNanos) implements TransformLookup {}

  /**
   * The time lies before all that is kept.
   *
   * @param oldestNanos the stamp from which on all is known
   */
  record TooOld(long oldestNanos) implements TransformLookup {}

  /**
   * Around the time no transform came for long.
   *
   * @param nanos how long
   */
  record Gap(long nanos) implements TransformLookup {}
}
