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

  /** So much memory they may take, bytes: what the state's own bytes leave of the heap. */
  private long memoryLeft;

  StateInput(byte[] bytes) {
    super(bytes);
    memoryLeft = Runtime.getRuntime().maxMemory() - bytes.length;
    elementsLeft = (long) bytes.length + MOST_WITHOUT_BYTES;
  }

  /**
   * An array or a collection has so many elements.
   *
   * @param each what one takes, bytes
   */
  void take(int elements, int each) {
    elementsLeft -= elements;
    memoryLeft -= (long) elements * each;
    if (elements < 0 || elementsLeft < 0) {
      throw new StateRefusedException(
          "an array or a collection of %,d elements is longer than its bytes",
          elements & 0xffff_ffffL);
    }
    if (memoryLeft < 0) {
      throw new StateRefusedException(
          "its arrays and collections take more memory than this process can have (-Xmx)");
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
