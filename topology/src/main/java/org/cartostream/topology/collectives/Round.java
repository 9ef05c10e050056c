package org.cartostream.topology.collectives;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.cartostream.topology.collectives.CollectiveException.Reason;

/**
 * One operation at one member: awaited, when others have begun before this member's call; entered;
 * over. Its {@link Lane} guards it.
 *
 * <p>Owns the parts that came too early, who is known to have entered, and the phase.
 */
final class Round {

  /** What a frame without payload takes in memory, about. */
  private static final int HEAD_BYTES = 256;

  private final RoundKey key;
  private final Member member;
  private final long bornNanos;
  private final BitSet present;
  private List<Frame> early = new ArrayList<>(2);
  private long earlyBytes;
  private Script<?> script;
  private int phase = -1;
  private Procedure procedure;
  private byte[][] brought;
  private long enteredNanos;
  private int sending;
  private boolean over;
  private CollectiveException failure;

  Round(RoundKey key, Member member, long nowNanos) {
    this.key = key;
    this.member = member;
    this.bornNanos = nowNanos;
    this.present = new BitSet(member.size());
  }

  RoundKey key() {
    return key;
  }

  long number() {
    return key.round();
  }

  boolean entered() {
    return script != null;
  }

  boolean over() {
    return over;
  }

  /** Why it failed; null if it did not. */
  CollectiveException failure() {
    return failure;
  }

  long ageNanos(long nowNanos) {
    return nowNanos - (entered() ? enteredNanos : bornNanos);
  }

  /** This member calls the operation. */
  void enter(Script<?> itsScript, long nowNanos, Deeds deeds) {
    script = itsScript;
    enteredNanos = nowNanos;
    if (failure != null) {
      deeds.end(() -> member.endBadly(itsScript, failure));
      return;
    }
    for (Frame frame : early) {
      if (!fits(frame, deeds)) {
        return;
      }
    }
    advance(member.rank(), deeds);
  }

  /** A part has come. */
  void take(Frame frame, Deeds deeds) {
    present.set(frame.source());
    if (over) {
      return;
    }
    if (!entered()) {
      hold(frame, deeds);
    } else if (fits(frame, deeds)) {
      if (frame.phase() > phase) {
        hold(frame, deeds);
      } else {
        handle(frame, deeds);
        advance(frame.source(), deeds);
      }
    }
  }

  /** A member has entered, too. */
  void present(int rank) {
    present.set(rank);
  }

  private boolean fits(Frame frame, Deeds deeds) {
    if (frame.operation() == script.operation()
        && frame.root() == script.root()
        && frame.phase() >= phase
        && frame.phase() < script.phases().size()) {
      return true;
    }
    String details =
        "it is in phase %d of %s with root %d, this member, rank %d, in phase %d of %s with root %d"
            .formatted(
                frame.phase(),
                frame.operation(),
                frame.root(),
                member.rank(),
                phase,
                script.operation(),
                script.root());
    fail(Reason.MISMATCH, Set.of(frame.source()), details, deeds);
    return false;
  }

  private void hold(Frame frame, Deeds deeds) {
    long bytes = cost(frame);
    if (member.keep(bytes)) {
      early.add(frame);
      earlyBytes += bytes;
    } else {
      String details =
          "%d bytes of rank %d came before its call, and no more may wait there"
              .formatted(frame.bytes(), frame.source());
      fail(Reason.OVERFLOW, Set.of(member.rank()), details, deeds);
    }
  }

  private static long cost(Frame frame) {
    return frame.bytes() + HEAD_BYTES;
  }

  private void handle(Frame frame, Deeds deeds) {
    try {
      procedure.take(frame, output(deeds));
    } catch (RuntimeException e) { // Also whatever the caller's reduction may throw.
      fail(Reason.MISMATCH, Set.of(frame.source()), String.valueOf(e.getMessage()), deeds);
    }
  }

  /** Goes on to the next phases, as far as what has come allows. */
  private void advance(int source, Deeds deeds) {
    while (!over && (procedure == null || procedure.done())) {
      if (procedure != null) {
        brought = procedure.result();
      }
      if (phase + 1 == script.phases().size()) {
        procedure = new Given(brought);
        tryEnd(deeds);
        return;
      }
      phase++;
      begin(source, deeds);
    }
  }

  private void begin(int source, Deeds deeds) {
    try {
      procedure = script.phases().get(phase).apply(brought);
      procedure.begin(output(deeds));
    } catch (RuntimeException e) { // Also whatever the caller's reduction may throw.
      fail(Reason.MISMATCH, Set.of(source), String.valueOf(e.getMessage()), deeds);
      return;
    }
    List<Frame> held = early;
    early = new ArrayList<>(2);
    for (Frame frame : held) {
      if (frame.phase() > phase) {
        early.add(frame);
      } else if (!over) {
        member.release(cost(frame));
        earlyBytes -= cost(frame);
        handle(frame, deeds);
      }
    }
  }

  private Procedure.Output output(Deeds deeds) {
    return (by, step, offset, total, blocks, to) -> {
      if (!deeds.parts()) {
        sending++;
      }
      deeds.send(
          new Frame(
              Frame.Kind.PART,
              key,
              member.rank(),
              script.operation(),
              script.root(),
              phase,
              by,
              step,
              offset,
              total,
              blocks),
          to);
    };
  }

  /** What a thread had to send is on its way. */
  void sent(Deeds deeds) {
    sending--;
    tryEnd(deeds);
  }

  /** It ends well only when nobody reads from the result's arrays any more, to send them on. */
  private void tryEnd(Deeds deeds) {
    boolean last = script != null && phase + 1 == script.phases().size();
    if (!over && last && sending == 0 && procedure.done()) {
      over = true;
      deeds.end(() -> member.endWell(script, brought));
    }
  }

  /** It ends badly, and so it shall for all. */
  void fail(Reason reason, Collection<Integer> members, String details, Deeds deeds) {
    fail(CollectiveException.of(reason, members, what(), details), deeds);
    deeds.send(Abort.frame(key, member.rank(), failure), member.others());
  }

  private String what() {
    return (script == null ? "an operation" : script.operation()) + " of " + key;
  }

  /** It ends badly at this member. */
  void fail(CollectiveException why, Deeds deeds) {
    over = true;
    failure = why;
    dismiss();
    if (entered()) {
      deeds.end(() -> member.endBadly(script, why));
    }
  }

  /** Frees what waits. */
  void dismiss() {
    member.release(earlyBytes);
    earlyBytes = 0;
    early = List.of();
  }

  /** A member that must send something next, and is among the lost; -1 if there is none. */
  int stuckOn(BitSet lost) {
    if (over || !entered() || procedure.done()) {
      return -1;
    }
    BitSet stuck = (BitSet) procedure.waitingFor().clone();
    stuck.and(lost);
    return stuck.nextSetBit(0);
  }

  /** Ranks of the members that are not known to have entered. */
  BitSet missing() {
    BitSet missing = new BitSet(member.size());
    missing.set(0, member.size());
    missing.andNot(present);
    missing.clear(member.rank());
    return missing;
  }

  /** Time is up: whoever has not entered is late; else whoever something is awaited from. */
  void expire(long timeoutMillis, Deeds deeds) {
    BitSet late = missing();
    String details = "nothing shows that it has entered, after " + timeoutMillis + " ms";
    if (late.isEmpty()) {
      late = procedure.waitingFor();
      details =
          "it has entered, but what it should send is missing, after " + timeoutMillis + " ms";
    }
    fail(Reason.LATE, late.stream().boxed().toList(), details, deeds);
  }

  /** Asks those who are not known to have entered whether they have. */
  void probe(Deeds deeds) {
    Frame probe =
        new Frame(
            Frame.Kind.PROBE,
            key,
            member.rank(),
            script.operation(),
            script.root(),
            0,
            Algorithm.AUTO,
            0,
            0,
            0,
            List.of());
    deeds.send(probe, missing().stream().toArray());
  }
}
