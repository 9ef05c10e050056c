package org.cartostream.topology.collectives;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What of one round is too long for a frame, on both sides of the rendezvous: what this member
 * offers and others fetch, and what others offer and this member fetches.
 *
 * <p>Owns the {@link Offers}, and a {@link Haul} for each offer of others that has not come whole.
 * Guarded as its {@link Round} is.
 */
final class RendezvousTransfers {

  private final Member member;
  private final Offers offers = new Offers();
  private final List<Haul> hauls = new ArrayList<>(0);

  RendezvousTransfers(Member member) {
    this.member = member;
  }

  /** Offers a part, see {@link Offers#offer}. */
  Frame offer(Frame part, int... to) {
    return offers.offer(part, to);
  }

  /** What a member asks for; null, and counted, if that was not offered here. */
  Frame serve(Frame fetch) {
    Frame piece = offers.serve(fetch, member.rank());
    if (piece == null) {
      member.counter().late(); // Asked of one that had this rank before.
    }
    return piece;
  }

  /**
   * Begins to fetch what another member offers.
   *
   * @throws IllegalArgumentException if the offer is none
   */
  void fetch(Frame offer, Deeds deeds) {
    Haul haul = new Haul(offer, member.partBytes(), member.maxPayloadBytes());
    hauls.add(haul);
    fetch(haul, Haul.AHEAD, deeds);
  }

  /**
   * Takes a piece of what was fetched, and asks for the next.
   *
   * @return when it was the last, the part as if it had come in one frame; else null
   * @throws IllegalArgumentException if it does not fit to the others
   */
  Frame take(Frame piece, Deeds deeds) {
    Haul haul = hauls.stream().filter(each -> each.awaits(piece)).findFirst().orElse(null);
    if (haul == null) {
      member.counter().late(); // Sent to one that had this rank before.
      return null;
    }
    haul.take(piece);
    if (piece.block().length() < piece.total()) {
      member.reuse(piece.block().array());
    }
    fetch(haul, 1, deeds);
    if (haul.missing() > 0) {
      return null;
    }
    hauls.remove(haul);
    return haul.part();
  }

  private void fetch(Haul haul, int pieces, Deeds deeds) {
    for (int i = 0; i < pieces; i++) {
      Frame next = haul.next(member.rank());
      if (next == null) {
        return;
      }
      deeds.send(next, haul.source());
    }
  }

  /** True if others have fetched all that was offered. */
  boolean isFetched() {
    return offers.isEmpty();
  }

  /** Ranks of the members that have yet to fetch something. */
  BitSet unfetched() {
    return offers.unfetched();
  }

  /** These members will fetch nothing any more. */
  void forget(BitSet lost) {
    offers.forget(lost);
  }

  /** Nobody will fetch anything any more. */
  void withdraw() {
    offers.clear();
  }

  /** Bytes that were offered here and have yet to come. */
  long missingBytes() {
    return hauls.stream().mapToLong(Haul::missing).sum();
  }

  boolean isFetching() {
    return !hauls.isEmpty();
  }

  void clear() {
    offers.clear();
    hauls.clear();
  }
}
