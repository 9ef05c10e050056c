package org.cartostream.gateway.ros.tf;

/** The result of looking up the transform between two frames at a time. */
public sealed interface TransformLookup {

  /** Transform that was found. */
  record Found(RigidTransform motion) implements TransformLookup {}

  /** Absence of any way from one frame to the other. */
  record Unconnected() implements TransformLookup {}

  /**
   * The time is later than all transforms that have come; more may come.
   *
   * @param newestNanos stamp of the newest transform that has come
   */
  record NotYet(long newestNanos) implements TransformLookup {}

  /**
   * The time is earlier than all transforms that are kept.
   *
   * @param oldestNanos stamp of the oldest transform that is kept
   */
  record TooOld(long oldestNanos) implements TransformLookup {}

  /**
   * The time is in a long gap between transforms.
   *
   * @param nanos length of the gap, nanoseconds
   */
  record Gap(long nanos) implements TransformLookup {}
}
