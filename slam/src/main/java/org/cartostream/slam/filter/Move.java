package org.cartostream.slam.filter;

import java.util.List;

/**
 * One particle's journey from one task to another: however many children it has there, its map
 * travels once.
 *
 * @param parent its number before resampling
 * @param from the task that holds it
 * @param to the task that gets it
 * @param children the numbers that it goes by after resampling at {@code to}, ascending
 */
public record Move(int parent, int from, int to, int[] children) {

  /**
   * The moves that a resampling asks for, ordered by parent, then by target. Sender and receiver
   * both derive what to send and what to expect from it.
   *
   * @param parents old particle of each new one
   * @param ownerBefore task of each old particle
   * @param ownerAfter task of each new particle
   */
  public static List<Move> between(int[] parents, int[] ownerBefore, int[] ownerAfter) {
    throw new UnsupportedOperationException("soon");
  }
}
