package org.cartostream.collectives.operation;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The failure of a call: the reason, and the members that caused it. */
public final class CollectiveException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** The kinds of failure of a call. */
  public enum Reason {
    LOST("A member is gone"),
    LATE("A member did not come in time"),
    FENCED("The robot's group has moved on to a later epoch"),
    MISMATCH("A member did something else in the same round"),
    OVERFLOW("A member has no room"),
    CLOSED("This member has left the group");

    private final String sentence;

    Reason(String sentence) {
      this.sentence = sentence;
    }

    /** Returns the reason in words. */
    public String sentence() {
      return sentence;
    }
  }

  private final Reason reason;
  private final transient SortedSet<Integer> members;

  public CollectiveException(Reason reason, Collection<Integer> members, String message) {
    super(message);
    this.reason = reason;
    this.members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }

  /**
   * Returns an exception whose message has everything: the operation, the reason, the members and
   * the details.
   */
  public static CollectiveException of(
      Reason reason, Collection<Integer> members, String operation, String details) {
    return new CollectiveException(
        reason,
        members,
        operation
            + ": "
            + reason.sentence()
            + " ("
            + members.stream()
                .sorted()
                .map(rank -> "rank " + rank)
                .collect(Collectors.joining(", "))
            + "): "
            + details);
  }

  /** Returns the kind of failure. */
  public Reason reason() {
    return reason;
  }

  /** Returns the ranks of the members that caused the failure. */
  public SortedSet<Integer> members() {
    return members;
  }
}
