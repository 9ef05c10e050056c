package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;

/**
 * The rendezvous transfers of one round: payloads that this member offers and others fetch, and
 * payloads that others offer and this member fetches.
 *
 * <p>Owns the {@link RendezvousSend}, and a {@link RendezvousReceive} for each offer of others
 * whose payload is not complete. Guarded by the lock of the robot's {@link RobotRounds}.
 */
final class RendezvousTransfers {

  private final Member member;

  /** Payloads that this member offers. */
  final RendezvousSend offered = new RendezvousSend();

  private final List<RendezvousReceive> rendezvousReceives = new ArrayList<>(0);

  RendezvousTransfers(Member member) {
    this.member = member;
  }

  /**
   * Returns the piece that a member requests; null, and counted as late, if it is not offered here.
   */
  Frame serve(Frame fetch) {
    Frame piece = offered.serve(fetch, member.rank());
    if (piece == null) {
      member.counter().late(); // Offered by a member that had this rank before.
    }
    return piece;
  }

  /**
   * Begins to fetch a payload that another member offers.
   *
   * @throws IllegalArgumentException if the offer is empty, or offers a payload that is too large
   */
  void fetch(Frame offer, DeferredActions deferredActions) {
    RendezvousReceive rendezvousReceive =
        new RendezvousReceive(offer, member.partBytes(), member.maxPayloadBytes());
    rendezvousReceives.add(rendezvousReceive);
    fetch(rendezvousReceive, RendezvousReceive.WINDOW, deferredActions);
  }

  /**
   * Takes a piece of a fetched payload, and requests the next piece.
   *
   * @return the part as if it had come in one frame, if the piece was its last; else null
   * @throws IllegalArgumentException if the piece does not fit the other pieces of its block
   */
  Frame take(Frame piece, DeferredActions deferredActions) {
    RendezvousReceive rendezvousReceive =
        rendezvousReceives.stream().filter(each -> each.expects(piece)).findFirst().orElse(null);
    if (rendezvousReceive == null) {
      member.counter().late(); // Requested by a member that had this rank before.
      return null;
    }
    rendezvousReceive.take(piece);
    if (piece.block().length() < piece.total()) {
      member.reuse(piece.block().array());
    }
    fetch(rendezvousReceive, 1, deferredActions);
    if (rendezvousReceive.missingBytes() > 0) {
      return null;
    }
    rendezvousReceives.remove(rendezvousReceive);
    return rendezvousReceive.part();
  }

  private void fetch(
      RendezvousReceive rendezvousReceive, int pieces, DeferredActions deferredActions) {
    for (int i = 0; i < pieces; i++) {
      Frame next = rendezvousReceive.next(member.rank());
      if (next == null) {
        return;
      }
      deferredActions.send(next, rendezvousReceive.source());
    }
  }

  /**
   * Returns the number of bytes that others have offered to this member and that have yet to come.
   */
  long missingBytes() {
    return rendezvousReceives.stream().mapToLong(RendezvousReceive::missingBytes).sum();
  }

  boolean isFetching() {
    return !rendezvousReceives.isEmpty();
  }

  void clear() {
    offered.clear();
    rendezvousReceives.clear();
  }
}
