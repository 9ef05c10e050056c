package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.io.Input;

/**
 * The bytes of a state, which may be a stranger's: no more memory is taken than they can account
 * for.
 */
final class StateInput extends Input {

  /** Elements that take no byte: those of lists of nothing but nulls. */
  private static final int MOST_WITHOUT_BYTES = 1 << 16;

  /** So many elements may still come, in all arrays and collections together. */
  private long elementsLeft;

  StateInput(byte[] bytes) {
    super(bytes);
    elementsLeft = (long) bytes.length + MOST_WITHOUT_BYTES;
  }

  /** An array or a collection has so many elements. */
  void take(int elements) {
    elementsLeft -= elements;
    if (elements < 0 || elementsLeft < 0) {
      throw new StateRefusedException(
          "an array or a collection of %,d elements is longer than its bytes",
          elements & 0xffff_ffffL);
    }
  }

  /** The length of a string, above all. */
  @Override
  public int readVarIntFlag(boolean optimizePositive) {
    int length = super.readVarIntFlag(optimizePositive);
    if (length < 0 || length > limit + MOST_WITHOUT_BYTES) {
      throw new StateRefusedException(
          "a text or a collection of %,d is longer than its bytes", length & 0xffff_ffffL);
    }
    return length;
  }
}
