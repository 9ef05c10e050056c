package org.cartostream.collectives.operation;

/** The condition on which a call ends well. */
public enum CompletionMode {
  /**
   * The operation ends when all members have what is theirs. If a member dies in the middle, every
   * other member's call ends with an error, also where nothing was missing. Costs ⌈log2 n⌉ small
   * messages per member.
   */
  TOGETHER,

  /**
   * The operation ends when this member has what is its own, and others have fetched of it what is
   * too long for a frame, or will not: they are gone, or time is up. A failure shows where
   * something is missing, and from there everywhere where something is missing as well.
   */
  ALONE
}
