package org.cartostream.collectives.algorithm;

import org.cartostream.collectives.operation.Algorithm;

/**
 * Chooses the algorithm that {@link Algorithm#AUTO} stands for.
 *
 * <p>All members must come to the same choice, but they need not have payloads of one size. So
 * where the size matters, the sender alone chooses, and members that forward read the choice from
 * the part; all else depends on the number of members only.
 */
public final class AlgorithmSelector {

  /** Number of members up to which one hop beats fewer messages. */
  private static final int FEW = 8;

  /** Bytes of a payload from which it pays to keep all links busy with parts. */
  private static final int LARGE_BYTES = 256 << 10;

  private AlgorithmSelector() {}

  /**
   * The algorithm for one payload that goes to all.
   *
   * @param partBytes of the channel; where nothing is gained by cutting, all parts go through one
   *     thread, and passing on only costs; what goes whole is never cut
   */
  public static Algorithm spread(long bytes, int size, int partBytes) {
    if (size <= FEW || partBytes == Integer.MAX_VALUE) {
      return Algorithm.FLAT;
    }
    return bytes < LARGE_BYTES || bytes <= partBytes ? Algorithm.TREE : Algorithm.TWO_RINGS;
  }

  /** The algorithm for payloads of all members that go to all. */
  public static Algorithm allGather(int size) {
    return size <= FEW ? Algorithm.FLAT : Algorithm.DOUBLING;
  }

  /** The algorithm for a reduction; {@code bytes} are the same at all members. */
  public static Algorithm reduce(long bytes, int size) {
    return size <= FEW || bytes < LARGE_BYTES ? Algorithm.FLAT : Algorithm.RING;
  }

  /**
   * The algorithm for a reduction whose result all members get; {@code bytes} are the same at all.
   */
  public static Algorithm allReduce(long bytes, int size) {
    return size <= FEW || bytes < LARGE_BYTES ? Algorithm.DOUBLING : Algorithm.RING;
  }
}
