package org.cartostream.collectives.engine;

import java.util.BitSet;
import java.util.Collection;
import java.util.Set;
import org.cartostream.collectives.algorithm.AlgorithmPhase;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;

/**
 * One operation at one member. A round is awaited if others have begun it before this member's
 * call, entered from that call on, and over when the call has ended. Guarded by the lock of its
 * {@link RobotRounds}.
 *
 * <p>Owns the ranks of the members that are known to have entered, the {@link EarlyFrames} and the
 * {@link RendezvousTransfers}.
 */
final class Round {

  private final OperationKey key;
  private final Member member;
  private final long bornNanos;
  private final BitSet present;
  private final RendezvousTransfers transfers;
  private final EarlyFrames early;
  private OperationPlan<?> operationPlan;
  private long enteredNanos;
  private int sending;
  private boolean over;
  private CollectiveException failure;

  Round(OperationKey key, Member member, long nowNanos) {
    this.key = key;
    this.member = member;
    this.bornNanos = nowNanos;
    this.present = new BitSet(member.size());
    this.transfers = new RendezvousTransfers(member);
    this.early = new EarlyFrames(member.credit());
  }

  OperationKey key() {
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

  /** Returns why the round failed; null if it has not failed. */
  CollectiveException failure() {
    return failure;
  }

  long ageNanos(long nowNanos) {
    return nowNanos - (entered() ? enteredNanos : bornNanos);
  }

  /** Enters the round, as this member calls the operation. */
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
    try {
      plan.phase().begin(output(deferredActions));
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(member.rank(), e, deferredActions);
    }
    for (Frame frame : early.take()) {
      if (!over) {
        handle(frame, deferredActions);
      }
    }
    tryEnd(deferredActions);
  }

  /**
   * Takes a frame about a payload: a part, or an offer, request or piece of a part that is too long
   * for a frame.
   */
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
      early.add(frame);
    } else if (fits(frame, deferredActions)) {
      handle(frame, deferredActions);
      tryEnd(deferredActions);
    }
  }

  private void serve(Frame fetch, DeferredActions deferredActions) {
    Frame piece = transfers.serve(fetch);
    if (piece != null) {
      sendPayload(piece, deferredActions, fetch.source());
    }
  }

  /** Takes a piece; with the last piece, its part is handled as if it had come in one frame. */
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
      tryEnd(deferredActions);
    }
  }

  /** Notes that another member has entered. */
  void present(int rank) {
    present.set(rank);
  }

  private boolean fits(Frame frame, DeferredActions deferredActions) {
    if (frame.operation() == operationPlan.operation() && frame.root() == operationPlan.root()) {
      return true;
    }
    String details =
        "it is in %s with root %d, this member, rank %d, in %s with root %d"
            .formatted(
                frame.operation(),
                frame.root(),
                member.rank(),
                operationPlan.operation(),
                operationPlan.root());
    fail(Reason.MISMATCH, Set.of(frame.source()), details, deferredActions);
    return false;
  }

  private void handle(Frame frame, DeferredActions deferredActions) {
    try {
      if (frame.kind() == Frame.Kind.OFFER) {
        transfers.fetch(frame, deferredActions);
      } else {
        operationPlan.phase().take(frame, output(deferredActions));
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      failAt(frame.source(), e, deferredActions);
    }
  }

  /**
   * Fails the round because a member's message cannot be processed. The exception must not reach
   * the channel's thread, which serves the rounds of all robots.
   */
  private void failAt(int source, Throwable how, DeferredActions deferredActions) {
    if (how instanceof OutOfMemoryError) {
      String details = "there is no memory for what rank " + source + " sends: " + how.getMessage();
      fail(Reason.OVERFLOW, Set.of(member.rank()), details, deferredActions);
    } else {
      fail(Reason.MISMATCH, Set.of(source), String.valueOf(how.getMessage()), deferredActions);
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
              0,
              by,
              step,
              offset,
              total,
              blocks);
      if (member.isLong(part.bytes())) {
        deferredActions.send(transfers.offered.offer(part, to), to);
      } else if (member.credit().spend(part, to)) {
        sendPayload(part, deferredActions, to);
      } else {
        // A copy, as the payload may be changed once the call has returned.
        deferredActions.send(transfers.offered.offer(part.copiedFor(member), to), to);
      }
    };
  }

  private void sendPayload(Frame frame, DeferredActions deferredActions, int... to) {
    if (!deferredActions.parts()) {
      sending++;
    }
    deferredActions.send(frame, to);
  }

  /**
   * Notes that a thread has sent the payloads it was given, and ends the round if it waited for
   * that only.
   */
  void sent(DeferredActions deferredActions) {
    sending--;
    tryEnd(deferredActions);
  }

  /**
   * Ends the round well if this member has its result, and neither a sending thread nor a member
   * that fetches still reads from the result's arrays.
   */
  private void tryEnd(DeferredActions deferredActions) {
    if (!over && isLocallyComplete() && transfers.offered.isEmpty()) {
      over = true;
      deferredActions.end(operationPlan::end);
    }
  }

  /**
   * Returns true if this member has its result and has sent its frames; others may still have
   * payloads to fetch.
   */
  private boolean isLocallyComplete() {
    return entered() && sending == 0 && operationPlan.phase().done();
  }

  /**
   * Ends the round, as messages of other members, or their fetches of payloads, are missing. If
   * only fetches are missing, it ends well; else it fails at all members.
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
   * Ends the round, as it has failed at another member, or this member no longer waits for it. It
   * fails here unless this member has its result.
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

  /** Drops the frames that wait and the transfers. */
  void releaseBuffers() {
    early.take();
    transfers.clear();
  }

  /**
   * Returns the rank of a lost member that must still send a message; -1 if there is none. What it
   * has not fetched is not waited for any more.
   */
  int stuckOn(BitSet lost, DeferredActions deferredActions) {
    if (!over && entered()) {
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
    if (!operationPlan.phase().done()) {
      waiting.or(operationPlan.phase().waitingFor());
    }
    return waiting;
  }

  /** Returns the ranks of the members that are not known to have entered. */
  BitSet missing() {
    BitSet missing = new BitSet(member.size());
    missing.set(0, member.size());
    missing.andNot(present);
    missing.clear(member.rank());
    return missing;
  }

  /**
   * Ends the round by its timeout. Members not known to have entered are named as late; if all have
   * entered, members whose messages or fetches are missing.
   */
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

  /** Asks the members that are not known to have entered whether they have. */
  void probe(DeferredActions deferredActions) {
    Frame probe =
        Frame.control(
            Frame.Kind.PROBE, key, member.rank(), operationPlan.operation(), operationPlan.root());
    deferredActions.send(probe, missing().stream().toArray());
  }
}
