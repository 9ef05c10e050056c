package org.cartostream.collectives.operation;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.DoubleBinaryOperator;

/**
 * An associative operator over numbers, applied in rank order: ((p0 + p1) + p2) + … It need not be
 * commutative; and since the order never changes, sums of floating-point numbers are the same by
 * every algorithm, too.
 */
public final class Reduction {

  private static final int NUMBER_BYTES = Long.BYTES;

  private final DoubleBinaryOperator operator;

  private Reduction(DoubleBinaryOperator operator) {
    this.operator = operator;
  }

  /**
   * Number by number, over payloads of equal length as {@link #payload(double...)} makes them.
   *
   * @param operator of what is gathered from the lower ranks and what is next, {@code Double::sum}
   */
  public static Reduction ofDoubles(DoubleBinaryOperator operator) {
    return new Reduction(operator);
  }

  /** Numbers as a payload: 8 bytes each, little endian. */
  public static byte[] payload(double... numbers) {
    byte[] payload = new byte[numbers.length * NUMBER_BYTES];
    numbers(payload).asDoubleBuffer().put(numbers);
    return payload;
  }

  /** The numbers in a payload. */
  public static double[] doubles(byte[] payload) {
    double[] numbers = new double[payload.length / NUMBER_BYTES];
    numbers(payload).asDoubleBuffer().get(numbers);
    return numbers;
  }

  private static ByteBuffer numbers(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes of the parts in which a payload may be reduced: whole numbers. */
  public static int partBytes(int wanted) {
    return Math.max(NUMBER_BYTES, wanted - wanted % NUMBER_BYTES);
  }

  /**
   * Returns what two payloads, or the same part of both, come to.
   *
   * @throws IllegalArgumentException if they are of lengths that do not go together
   */
  public byte[] combine(byte[] left, byte[] right) {
    if (left.length != right.length || left.length % NUMBER_BYTES != 0) {
      throw new IllegalArgumentException(
          "payloads of "
              + left.length
              + " and "
              + right.length
              + " bytes cannot be added up; they must be equally many numbers of 8 bytes");
    }
    ByteBuffer a = numbers(left);
    ByteBuffer b = numbers(right);
    byte[] sums = new byte[left.length];
    ByteBuffer sum = numbers(sums);
    while (a.hasRemaining()) {
      sum.putDouble(operator.applyAsDouble(a.getDouble(), b.getDouble()));
    }
    return sums;
  }

  /** All payloads in rank order. */
  public byte[] fold(byte[][] payloads) {
    byte[] sum = payloads[0];
    for (int rank = 1; rank < payloads.length; rank++) {
      sum = combine(sum, payloads[rank]);
    }
    return sum;
  }
}
