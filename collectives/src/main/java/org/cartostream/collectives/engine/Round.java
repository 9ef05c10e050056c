package org.cartostream.collectives.engine;

import java.util.BitSet;
import java.util.Collection;
import java.util.Set;
import org.cartostream.collectives.algorithm.AlgorithmPhase;
import org.cartostream.collectives.algorithm.CompletedPhase;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.RoundKey;
import org.cartostream.collectives.transport.Frame;

/**
 * One operation at one member: awaited, when others have begun before this member's call; entered;
 * over. Its {@link RobotRounds} guards it.
 *
 * <p>Owns the phase that runs, the ranks that are known to have entered, the {@link EarlyFrames}
 * and the {@link RendezvousTransfers}.
 */
final class Round {

  private final RoundKey key;
  private final Member member;
  private final long bornNanos;
  private final BitSet present;
  private final RendezvousTransfers transfers;
  private final EarlyFrames early;
  private OperationPlan<?> operationPlan;
  private int phase = -1;
  private AlgorithmPhase algorithmPhase;
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
    return operationPlan != null;
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
  void enter(OperationPlan<?> plan, long nowNanos, DeferredActions deferredActions) {
    operationPlan = plan;
    enteredNanos = nowNanos;
    if (failure != null) {
      deferredActions.end(() -> plan.fail(failure));
      return;
    }
    for (Frame frame : early.all()) {
      if (!fits(frame, deferredActions)) {
        return;
      }
    }
    advance(member.rank(), deferredActions);
  }

  /** A part has come, or something about one that is too long for a frame. */
  void take(Frame frame, DeferredActions deferredActions) {
    present.set(frame.source());
    if (over) {
      return;
    }
    switch (frame.kind()) {
      case FETCH -> serve(frame, deferredActions);
      case PIECE -> takeFragment(frame, deferredActions);
      default -> takePart(frame, deferredActions);
    }
  }

  private void takePart(Frame frame, DeferredActions deferredActions) {
    if (!entered()) {
      hold(frame, deferredActions);
    } else if (fits(frame, deferredActions)) {
      if (frame.phase() > phase) {
        hold(frame, deferredActions);
      } else {
        handle(frame, deferredActions);
        advance(frame.source(), deferredActions);
      }
    }
  }

  private void serve(Frame fetch, DeferredActions deferredActions) {
    Frame piece = transfers.serve(fetch);
    if (piece != null) {
      sendPayload(piece, deferredActions, fetch.source());
    }
  }

  /** A piece has come: when it was the last, the part is there as if it had come in one frame. */
  private void takeFragment(Frame piece, DeferredActions deferredActions) {
    Frame part;
    try {
      part = transfers.take(piece, deferredActions);
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(piece.source(), e, deferredActions);
      return;
    }
    if (part != null) {
      handle(part, deferredActions);
      advance(piece.source(), deferredActions);
    }
  }

  /** A member has entered, too. */
  void present(int rank) {
    present.set(rank);
  }

  private boolean fits(Frame frame, DeferredActions deferredActions) {
    if (frame.operation() == operationPlan.operation()
        && frame.root() == operationPlan.root()
        && frame.phase() >= phase
        && frame.phase() < operationPlan.phases().size()) {
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
                operationPlan.operation(),
                operationPlan.root());
    fail(Reason.MISMATCH, Set.of(frame.source()), details, deferredActions);
    return false;
  }

  private void hold(Frame frame, DeferredActions deferredActions) {
    if (!early.add(frame)) {
      String details =
          "%d bytes of rank %d came before its call, and no more may wait there"
              .formatted(frame.bytes(), frame.source());
      fail(Reason.OVERFLOW, Set.of(member.rank()), details, deferredActions);
    }
  }

  private void handle(Frame frame, DeferredActions deferredActions) {
    try {
      if (frame.kind() == Frame.Kind.OFFER) {
        transfers.fetch(frame, deferredActions);
      } else {
        algorithmPhase.take(frame, output(deferredActions));
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(frame.source(), e, deferredActions);
    }
  }

  /**
   * Fails the round because a member's message cannot be taken, or the caller's reduction has
   * thrown something. It comes in the channel's thread, which is not to fail with it: then all
   * robots' rounds would.
   */
  private void failAt(int source, Throwable how, DeferredActions deferredActions) {
    if (how instanceof OutOfMemoryError) {
      String details = "there is no memory for what rank " + source + " sends: " + how.getMessage();
      fail(Reason.OVERFLOW, Set.of(member.rank()), details, deferredActions);
    } else {
      fail(Reason.MISMATCH, Set.of(source), String.valueOf(how.getMessage()), deferredActions);
    }
  }

  /** Goes on to the next phases, as far as what has come allows. */
  private void advance(int source, DeferredActions deferredActions) {
    while (!over && (algorithmPhase == null || algorithmPhase.done())) {
      if (algorithmPhase != null) {
        brought = algorithmPhase.result();
      }
      if (phase + 1 == operationPlan.phases().size()) {
        algorithmPhase = new CompletedPhase(brought);
        tryEnd(deferredActions);
        return;
      }
      phase++;
      begin(source, deferredActions);
    }
  }

  private void begin(int source, DeferredActions deferredActions) {
    try {
      algorithmPhase = operationPlan.phases().get(phase).apply(brought);
      algorithmPhase.begin(output(deferredActions));
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(source, e, deferredActions);
      return;
    }
    for (Frame frame : early.take(phase)) {
      if (!over) {
        handle(frame, deferredActions);
      }
    }
  }

  private AlgorithmPhase.Output output(DeferredActions deferredActions) {
    return (by, step, offset, total, blocks, to) -> {
      Frame part =
          new Frame(
              Frame.Kind.PART,
              key,
              member.rank(),
              operationPlan.operation(),
              operationPlan.root(),
              phase,
              by,
              step,
              offset,
              total,
              blocks);
      if (member.isLong(part.bytes())) {
        deferredActions.send(transfers.offered.offer(part, to), to);
      } else {
        sendPayload(part, deferredActions, to);
      }
    };
  }

  private void sendPayload(Frame frame, DeferredActions deferredActions, int... to) {
    if (!deferredActions.parts()) {
      sending++;
    }
    deferredActions.send(frame, to);
  }

  /** Notes that a thread has sent what it had to. */
  void sent(DeferredActions deferredActions) {
    sending--;
    tryEnd(deferredActions);
  }

  /** Ends the round well, if nobody reads, or will, from the result's arrays, to send them on. */
  private void tryEnd(DeferredActions deferredActions) {
    if (!over && isLocallyComplete() && transfers.offered.isEmpty()) {
      over = true;
      deferredActions.end(() -> operationPlan.end(brought));
    }
  }

  /**
   * True if this member has what is its own, and at most others have not fetched what is theirs.
   */
  private boolean isLocallyComplete() {
    return isInLastPhase() && sending == 0 && algorithmPhase.done();
  }

  private boolean isInLastPhase() {
    return entered() && phase + 1 == operationPlan.phases().size();
  }

  /**
   * Ends the round of which members' messages or fetches are missing. If it is only that they did
   * not fetch what is theirs, it ends well; else it ends badly, and so it shall for all.
   */
  void failMissing(
      Reason reason, Collection<Integer> members, String details, DeferredActions deferredActions) {
    if (isLocallyComplete()) {
      endUnfetched(deferredActions);
    } else {
      fail(reason, members, details, deferredActions);
    }
  }

  /**
   * Others have failed, or nobody is to wait for it; it ends badly here if something is missing.
   */
  void abort(CollectiveException why, DeferredActions deferredActions) {
    if (isLocallyComplete()) {
      endUnfetched(deferredActions);
    } else {
      fail(why, deferredActions);
    }
  }

  private void endUnfetched(DeferredActions deferredActions) {
    transfers.offered.clear();
    tryEnd(deferredActions);
  }

  /** Fails the round for all members. */
  private void fail(
      Reason reason, Collection<Integer> members, String details, DeferredActions deferredActions) {
    fail(CollectiveException.of(reason, members, what(), details), deferredActions);
    deferredActions.send(AbortMessage.frame(key, member.rank(), failure), member.others());
  }

  private String what() {
    return (operationPlan == null ? "an operation" : operationPlan.operation()) + " of " + key;
  }

  /** Fails the round at this member. */
  private void fail(CollectiveException why, DeferredActions deferredActions) {
    over = true;
    failure = why;
    releaseBuffers();
    if (entered()) {
      deferredActions.end(() -> operationPlan.fail(why));
    }
  }

  /** Frees what waits. */
  void releaseBuffers() {
    early.clear();
    transfers.clear();
  }

  /**
   * A member that is among the lost, and must send something, or fetch it lest a later phase wait;
   * -1 if there is none.
   */
  int stuckOn(BitSet lost, DeferredActions deferredActions) {
    if (!over && isInLastPhase()) {
      transfers.offered.forget(lost);
      tryEnd(deferredActions);
    }
    if (over || !entered()) {
      return -1;
    }
    BitSet stuck = waitingFor();
    stuck.and(lost);
    return stuck.nextSetBit(0);
  }

  private BitSet waitingFor() {
    BitSet waiting = transfers.offered.unfetched();
    if (!algorithmPhase.done()) {
      waiting.or(algorithmPhase.waitingFor());
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
  void expire(long timeoutMillis, DeferredActions deferredActions) {
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
    failMissing(Reason.LATE, late.stream().boxed().toList(), details, deferredActions);
  }

  /** Asks those who are not known to have entered whether they have. */
  void probe(DeferredActions deferredActions) {
    Frame probe =
        Frame.control(
            Frame.Kind.PROBE, key, member.rank(), operationPlan.operation(), operationPlan.root());
    deferredActions.send(probe, missing().stream().toArray());
  }
}
