package org.cartostream.topology.collectives;

import java.util.BitSet;
import java.util.Collection;
import java.util.Set;
import org.cartostream.topology.collectives.CollectiveException.Reason;

/**
 * One operation at one member: awaited, when others have begun before this member's call; entered;
 * over. Its {@link Lane} guards it.
 *
 * <p>Owns the parts that came too early, who is known to have entered, the phase, and what is too
 * long for a frame: what others are to fetch here, and what this member fetches.
 */
final class Round {

  private final RoundKey key;
  private final Member member;
  private final long bornNanos;
  private final BitSet present;
  private final RendezvousTransfers transfers;
  private final EarlyFrames early;
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
    this.transfers = new RendezvousTransfers(member);
    this.early = new EarlyFrames(member);
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
    for (Frame frame : early.all()) {
      if (!fits(frame, deeds)) {
        return;
      }
    }
    advance(member.rank(), deeds);
  }

  /** A part has come, or something about one that is too long for a frame. */
  void take(Frame frame, Deeds deeds) {
    present.set(frame.source());
    if (over) {
      return;
    }
    switch (frame.kind()) {
      case FETCH -> serve(frame, deeds);
      case PIECE -> land(frame, deeds);
      default -> takePart(frame, deeds);
    }
  }

  private void takePart(Frame frame, Deeds deeds) {
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

  private void serve(Frame fetch, Deeds deeds) {
    Frame piece = transfers.serve(fetch);
    if (piece != null) {
      sendPayload(piece, deeds, fetch.source());
    }
  }

  /** A piece has come: when it was the last, the part is there as if it had come in one frame. */
  private void land(Frame piece, Deeds deeds) {
    Frame part;
    try {
      part = transfers.take(piece, deeds);
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(piece.source(), e, deeds);
      return;
    }
    if (part != null) {
      handle(part, deeds);
      advance(piece.source(), deeds);
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
    if (!early.add(frame)) {
      String details =
          "%d bytes of rank %d came before its call, and no more may wait there"
              .formatted(frame.bytes(), frame.source());
      fail(Reason.OVERFLOW, Set.of(member.rank()), details, deeds);
    }
  }

  private void handle(Frame frame, Deeds deeds) {
    try {
      if (frame.kind() == Frame.Kind.OFFER) {
        transfers.fetch(frame, deeds);
      } else {
        procedure.take(frame, output(deeds));
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(frame.source(), e, deeds);
    }
  }

  /**
   * What came of a member cannot be taken, or the caller's reduction has thrown something. It comes
   * in the channel's thread, which is not to fail with it: then all robots' rounds would.
   */
  private void failAt(int source, Throwable how, Deeds deeds) {
    if (how instanceof OutOfMemoryError) {
      String details = "there is no memory for what rank " + source + " sends: " + how.getMessage();
      fail(Reason.OVERFLOW, Set.of(member.rank()), details, deeds);
    } else {
      fail(Reason.MISMATCH, Set.of(source), String.valueOf(how.getMessage()), deeds);
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
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(source, e, deeds);
      return;
    }
    for (Frame frame : early.take(phase)) {
      if (!over) {
        handle(frame, deeds);
      }
    }
  }

  private Procedure.Output output(Deeds deeds) {
    return (by, step, offset, total, blocks, to) -> {
      Frame part =
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
              blocks);
      if (member.isLong(part.bytes())) {
        deeds.send(transfers.offer(part, to), to);
      } else {
        sendPayload(part, deeds, to);
      }
    };
  }

  private void sendPayload(Frame frame, Deeds deeds, int... to) {
    if (!deeds.parts()) {
      sending++;
    }
    deeds.send(frame, to);
  }

  /** What a thread had to send is on its way. */
  void sent(Deeds deeds) {
    sending--;
    tryEnd(deeds);
  }

  /** It ends well only when nobody reads, or will, from the result's arrays, to send them on. */
  private void tryEnd(Deeds deeds) {
    if (!over && lacksNothing() && transfers.isFetched()) {
      over = true;
      deeds.end(() -> member.endWell(script, brought));
    }
  }

  /**
   * True if this member has what is its own, and at most others have not fetched what is theirs.
   */
  private boolean lacksNothing() {
    return isInLastPhase() && sending == 0 && procedure.done();
  }

  private boolean isInLastPhase() {
    return entered() && phase + 1 == script.phases().size();
  }

  /**
   * What members are to send, or to fetch, is missing. If it is only that they did not fetch what
   * is theirs, it ends well; else it ends badly, and so it shall for all.
   */
  void miss(Reason reason, Collection<Integer> members, String details, Deeds deeds) {
    if (lacksNothing()) {
      endUnfetched(deeds);
    } else {
      fail(reason, members, details, deeds);
    }
  }

  /**
   * Others have failed, or nobody is to wait for it; it ends badly here if something is missing.
   */
  void giveUp(CollectiveException why, Deeds deeds) {
    if (lacksNothing()) {
      endUnfetched(deeds);
    } else {
      fail(why, deeds);
    }
  }

  private void endUnfetched(Deeds deeds) {
    transfers.withdraw();
    tryEnd(deeds);
  }

  /** It ends badly, and so it shall for all. */
  private void fail(Reason reason, Collection<Integer> members, String details, Deeds deeds) {
    fail(CollectiveException.of(reason, members, what(), details), deeds);
    deeds.send(Abort.frame(key, member.rank(), failure), member.others());
  }

  private String what() {
    return (script == null ? "an operation" : script.operation()) + " of " + key;
  }

  /** It ends badly at this member. */
  private void fail(CollectiveException why, Deeds deeds) {
    over = true;
    failure = why;
    dismiss();
    if (entered()) {
      deeds.end(() -> member.endBadly(script, why));
    }
  }

  /** Frees what waits. */
  void dismiss() {
    early.clear();
    transfers.clear();
  }

  /**
   * A member that is among the lost, and must send something, or fetch it lest a later phase wait;
   * -1 if there is none.
   */
  int stuckOn(BitSet lost, Deeds deeds) {
    if (!over && isInLastPhase()) {
      transfers.forget(lost);
      tryEnd(deeds);
    }
    if (over || !entered()) {
      return -1;
    }
    BitSet stuck = waitingFor();
    stuck.and(lost);
    return stuck.nextSetBit(0);
  }

  private BitSet waitingFor() {
    BitSet waiting = transfers.unfetched();
    if (!procedure.done()) {
      waiting.or(procedure.waitingFor());
    }
    return waiting;
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
      late = waitingFor();
      details =
          "it has entered, but what it should send, or fetch, is missing, after "
              + timeoutMillis
              + " ms";
      if (transfers.isFetching()) {
        details += ": " + transfers.missingBytes() + " bytes of what it offers have not come yet";
      }
    }
    miss(Reason.LATE, late.stream().boxed().toList(), details, deeds);
  }

  /** Asks those who are not known to have entered whether they have. */
  void probe(Deeds deeds) {
    Frame probe =
        Frame.control(Frame.Kind.PROBE, key, member.rank(), script.operation(), script.root());
    deeds.send(probe, missing().stream().toArray());
  }
}
