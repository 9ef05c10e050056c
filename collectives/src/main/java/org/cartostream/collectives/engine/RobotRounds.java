package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;

/**
 * One robot's rounds at one member. Owns the robot's epoch, the number of the last round that this
 * member entered, and the rounds that run here or that others have begun. Callers hold its lock.
 */
final class RobotRounds {

  private final Member member;
  private final Map<Long, Round> rounds = new HashMap<>();
  private long epoch = Long.MIN_VALUE;
  private long epochSinceNanos;
  private long lastEntered = Long.MIN_VALUE;
  private boolean closed;

  /**
   * Number of the last round that failed here; a member that comes late to it learns {@code
   * lastFailure}.
   */
  private long lastFailed = Long.MIN_VALUE;

  private CollectiveException lastFailure;

  RobotRounds(Member member) {
    this.member = member;
  }

  /**
   * Enters a round, as this member calls its operation; returns null if the round's epoch is over.
   *
   * @throws IllegalArgumentException if the round is not later than the last one entered
   */
  Round enter(OperationKey key, OperationPlan<?> operationPlan, DeferredActions deferredActions) {
    if (key.epoch() < epoch) {
      CollectiveException fenced = fenced(operationPlan.operation() + " of " + key, member.rank());
      deferredActions.end(() -> operationPlan.fail(fenced));
      return null;
    }
    enterEpoch(key.epoch(), deferredActions);
    if (key.round() <= lastEntered) {
      throw new IllegalArgumentException(
          key + " cannot be entered after round " + lastEntered + "; it must be a later one");
    }
    lastEntered = key.round();
    dropSkipped();
    Round round = awaited(key);
    round.enter(operationPlan, member.nowNanos(), deferredActions);
    check(round, deferredActions);
    return round;
  }

  /** Takes a frame from another member; returns the round that it brought forward, or null. */
  Round take(Frame frame, DeferredActions deferredActions) {
    OperationKey key = frame.key();
    if (key.epoch() < epoch) {
      fence(frame, deferredActions);
      return null;
    }
    enterEpoch(key.epoch(), deferredActions);
    Round round = rounds.get(key.round());
    switch (frame.kind()) {
      case PROBE -> answer(frame, deferredActions);
      case ENTERED -> {
        if (round != null) {
          round.present(frame.source());
        }
      }
      case ABORT -> abort(frame, deferredActions);
      case PART, OFFER, FETCH, PIECE -> {
        return part(frame, deferredActions);
      }
      case CREDIT -> throw new IllegalArgumentException("credit is about no round");
    }
    return null;
  }

  private Round part(Frame frame, DeferredActions deferredActions) {
    OperationKey key = frame.key();
    Round round = rounds.get(key.round());
    if (round == null && key.round() <= lastEntered) {
      member.counter().late();
      CollectiveException why =
          key.round() == lastFailed
              ? lastFailure
              : CollectiveException.of(
                  Reason.LATE,
                  Set.of(frame.source()),
                  frame.operation() + " of " + key,
                  "the round is over at rank " + member.rank());
      deferredActions.send(AbortMessage.frame(key, member.rank(), why), frame.source());
      return null;
    }
    round = awaited(key);
    if (round.over()) {
      member.counter().late();
    }
    round.take(frame, deferredActions);
    check(round, deferredActions);
    return round;
  }

  private Round awaited(OperationKey key) {
    return rounds.computeIfAbsent(key.round(), number -> new Round(key, member, member.nowNanos()));
  }

  private void answer(Frame probe, DeferredActions deferredActions) {
    if (probe.key().round() <= lastEntered) {
      deferredActions.send(
          Frame.control(
              Frame.Kind.ENTERED, probe.key(), member.rank(), probe.operation(), probe.root()),
          probe.source());
    }
  }

  private void abort(Frame frame, DeferredActions deferredActions) {
    OperationKey key = frame.key();
    if (key.round() > lastEntered || rounds.containsKey(key.round())) {
      Round round = awaited(key);
      if (!round.over()) {
        round.abort(AbortMessage.failure(frame, member.size()), deferredActions);
      }
      remove(round, key);
    }
  }

  /**
   * Removes a round that is over. A round that failed before this member's call stays, so that the
   * call fails, too.
   */
  private void remove(Round round, OperationKey key) {
    if (round.over() && round.entered()) {
      rounds.remove(key.round(), round);
      if (round.failure() != null) {
        lastFailed = key.round();
        lastFailure = round.failure();
      }
    }
  }

  private void fence(Frame frame, DeferredActions deferredActions) {
    member.counter().fenced();
    if (frame.kind().needed() || frame.kind() == Frame.Kind.PROBE) {
      CollectiveException why = fenced(frame.operation() + " of " + frame.key(), frame.source());
      deferredActions.send(AbortMessage.frame(frame.key(), member.rank(), why), frame.source());
    }
  }

  private CollectiveException fenced(String operation, int rank) {
    return CollectiveException.of(
        Reason.FENCED, Set.of(rank), operation, "the epoch is " + epoch + " by now");
  }

  /** Enters an epoch if it is later than the current one, whose running rounds then fail. */
  private void enterEpoch(long later, DeferredActions deferredActions) {
    if (later <= epoch) {
      return;
    }
    epoch = later;
    epochSinceNanos = member.nowNanos();
    lastEntered = Long.MIN_VALUE;
    lastFailed = Long.MIN_VALUE;
    List<Round> old = new ArrayList<>(rounds.values());
    rounds.clear();
    for (Round round : old) {
      if (!round.over()) {
        round.abort(fenced("a round of an earlier epoch", member.rank()), deferredActions);
      }
    }
  }

  private void dropSkipped() {
    rounds
        .values()
        .removeIf(
            round -> {
              boolean skipped = !round.entered() && round.number() < lastEntered;
              if (skipped) {
                member.counter().late();
                round.releaseBuffers();
              }
              return skipped;
            });
  }

  /** Notes that a thread has sent payloads of a round, which may end with that. */
  void sent(Round round, DeferredActions deferredActions) {
    round.sent(deferredActions);
    remove(round, round.key());
  }

  /**
   * Fails the round of a frame that could not be sent.
   *
   * @param rank rank of the frame's receiver
   * @param why one clause, for people
   */
  void undeliverable(Frame frame, int rank, String why, DeferredActions deferredActions) {
    Round round = rounds.get(frame.key().round());
    if (frame.key().epoch() == epoch && round != null && !round.over()) {
      round.failMissing(Reason.LOST, Set.of(rank), why, deferredActions);
      remove(round, frame.key());
    }
  }

  /** Checks whether rounds wait for members that are lost. */
  void checkAll(DeferredActions deferredActions) {
    for (Round round : List.copyOf(rounds.values())) {
      check(round, deferredActions);
    }
  }

  private void check(Round round, DeferredActions deferredActions) {
    BitSet lost = member.lostSince(epochSinceNanos);
    int rank = lost.isEmpty() ? -1 : round.stuckOn(lost, deferredActions);
    if (rank >= 0) {
      round.failMissing(Reason.LOST, Set.of(rank), member.whyLost(rank), deferredActions);
    }
    remove(round, round.key());
  }

  /**
   * Checks all rounds for timeouts.
   *
   * @param nowNanos the time by {@link System#nanoTime}
   */
  void tick(long nowNanos, Timeouts timeouts, DeferredActions deferredActions) {
    for (Round round : List.copyOf(rounds.values())) {
      long age = round.ageNanos(nowNanos);
      if (!round.entered()) {
        if (age > timeouts.forgetNanos()) {
          rounds.remove(round.number());
          round.releaseBuffers();
          member.counter().expired();
        }
      } else if (!round.over()) {
        if (age >= timeouts.endNanos()) {
          round.expire(timeouts.timeoutMillis(), deferredActions);
          remove(round, round.key());
        } else if (age >= timeouts.probeNanos()) {
          round.probe(deferredActions);
        }
      }
    }
  }

  /** Returns true if the robot's epoch is not later than {@code other}. */
  boolean isWithin(long other) {
    return epoch <= other;
  }

  /**
   * Returns true if this member has called nothing in the epoch, and no frame of another waits for
   * its call.
   */
  boolean isUnused() {
    return lastEntered == Long.MIN_VALUE && rounds.isEmpty();
  }

  /** Returns true if this object is closed, so that the robot's next round needs another one. */
  boolean isClosed() {
    return closed;
  }

  /** Fails all running rounds, as this member leaves the group or forgets the robot. */
  void close(CollectiveException why, DeferredActions deferredActions) {
    closed = true;
    for (Round round : rounds.values()) {
      if (!round.over()) {
        round.abort(why, deferredActions);
      }
      round.releaseBuffers();
    }
    rounds.clear();
  }
}
