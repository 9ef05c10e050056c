package org.cartostream.collectives.operation;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.DoubleBinaryOperator;

/**
 * An associative operator over numbers, applied in rank order: ((p0 + p1) + p2) + … The operator
 * need not be commutative. Since the order is fixed, every algorithm gives the same sums of
 * floating-point numbers.
 */
public final class Reduction {

  private static final int NUMBER_BYTES = Long.BYTES;

  private final DoubleBinaryOperator operator;

  private Reduction(DoubleBinaryOperator operator) {
    this.operator = operator;
  }

  /**
   * Returns an element-wise reduction of payloads of equal length, as {@link #payload(double...)}
   * makes them.
   *
   * @param operator operator on two numbers, such as {@code Double::sum}; its left operand is the
   *     result of the lower ranks
   */
  public static Reduction ofDoubles(DoubleBinaryOperator operator) {
    return new Reduction(operator);
  }

  /** Encodes numbers as a payload: 8 bytes each, little endian. */
  public static byte[] payload(double... numbers) {
    byte[] payload = new byte[numbers.length * NUMBER_BYTES];
    numbers(payload).asDoubleBuffer().put(numbers);
    return payload;
  }

  /** Decodes the numbers of a payload that {@link #payload} made. */
  public static double[] doubles(byte[] payload) {
    double[] numbers = new double[payload.length / NUMBER_BYTES];
    numbers(payload).asDoubleBuffer().get(numbers);
    return numbers;
  }

  private static ByteBuffer numbers(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the size of the parts in which a payload is reduced, bytes: {@code wanted} rounded down
   * to a multiple of 8, but at least 8.
   */
  public static int partBytes(int wanted) {
    return Math.max(NUMBER_BYTES, wanted - wanted % NUMBER_BYTES);
  }

  /**
   * Applies the operator to two payloads, or to the same parts of two payloads, number by number.
   *
   * @param left result of the lower ranks
   * @throws IllegalArgumentException if the lengths differ, or are no multiple of 8 bytes
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

  /** Reduces payloads, which are in rank order, to one payload. */
  public byte[] fold(byte[][] payloads) {
    byte[] sum = payloads[0];
    for (int rank = 1; rank < payloads.length; rank++) {
      sum = combine(sum, payloads[rank]);
    }
    return sum;
  }
}
