package org.cartostream.collectives.operation;

/** The condition on which a call ends well. */
public enum CompletionMode {
  /**
   * The operation ends when all members have their results. If a member dies before, every other
   * member's call fails, even if that member's result is complete. Costs ⌈log2 n⌉ small messages
   * per member.
   */
  TOGETHER,

  /**
   * The operation ends when this member has its result, and the others have fetched its payloads
   * that are too long for a frame, or cannot any more, because they are gone or the time is up. A
   * failure ends the calls of members that still lack something, and no others.
   */
  ALONE
}
