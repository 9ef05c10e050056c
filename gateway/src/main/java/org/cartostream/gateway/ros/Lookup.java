package org.cartostream.gateway.ros;

/** What is known of where one frame lay in another at a time. */
sealed interface Lookup {

  /** There it lay. */
  record Found(RigidMotion motion) implements Lookup {}

  /** Nothing leads from one frame to the other. */
  record Unconnected() implements Lookup {}

  /**
   * The time lies after all that is known; more may come.
   *
   * @param newestNanos the stamp up to which all is known
   */
  record NotYet(long newestNanos) implements Lookup {}

  /**
   * The time lies before all that is kept.
   *
   * @param oldestNanos the stamp from which on all is known
   */
  record TooOld(long oldestNanos) implements Lookup {}

  /**
   * Around the time nothing was said for long.
   *
   * @param nanos how long
   */
  record Gap(long nanos) implements Lookup {}
}
