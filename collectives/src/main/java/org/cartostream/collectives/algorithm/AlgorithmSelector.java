package org.cartostream.collectives.algorithm;

import org.cartostream.collectives.operation.Algorithm;

/**
 * Choice of the algorithm that {@link Algorithm#AUTO} stands for.
 *
 * <p>All members must make the same choice, although their payloads may differ in size. So if the
 * size matters, the sender alone chooses, and members that forward a part read the algorithm from
 * it; all other choices depend on the number of members only.
 */
public final class AlgorithmSelector {

  /** Number of members up to which one hop is faster than fewer messages for each sender. */
  private static final int FEW = 8;

  /**
   * Size of a payload, bytes, from which sending it in parts pays, as all links are busy at once.
   */
  private static final int LARGE_BYTES = 256 << 10;

  private AlgorithmSelector() {}

  /**
   * Returns the algorithm for one payload that goes to all members.
   *
   * @param partBytes size of the channel's parts, bytes; a payload of at most one part is not cut.
   *     {@link Integer#MAX_VALUE} if one thread delivers all messages, so that forwarding gains
   *     nothing
   */
  public static Algorithm spread(long bytes, int size, int partBytes) {
    if (size <= FEW || partBytes == Integer.MAX_VALUE) {
      return Algorithm.FLAT;
    }
    return bytes < LARGE_BYTES || bytes <= partBytes ? Algorithm.TREE : Algorithm.TWO_RINGS;
  }

  /** Returns the algorithm by which the payloads of {@code size} members go to all. */
  public static Algorithm allGather(int size) {
    return size <= FEW ? Algorithm.FLAT : Algorithm.DOUBLING;
  }
}
