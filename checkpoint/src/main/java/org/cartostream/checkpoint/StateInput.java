package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.io.Input;

/**
 * Kryo input for the bytes of a state that is not trusted. Refuses arrays and collections with more
 * elements than the bytes can hold, and states whose objects would take more memory than is left.
 */
final class StateInput extends Input {

  /** Number of elements that may come without bytes of their own, as in lists of nulls. */
  private static final int MAX_WITHOUT_BYTES = 1 << 16;

  /** Memory of any object, bytes: its header, and its entry in Kryo's table of references. */
  static final int OBJECT_BYTES = 24;

  /** Number of elements that may still come, in all arrays and collections together. */
  private long elementsLeft;

  /** Memory that elements and objects may still take, bytes. */
  private long memoryLeft;

  private int contents;

  /**
   * @param memory what the state and its bytes may take of the heap, bytes
   */
  StateInput(byte[] bytes, long memory) {
    super(bytes);
    memoryLeft = memory - bytes.length;
    elementsLeft = (long) bytes.length + MAX_WITHOUT_BYTES;
  }

  /**
   * Accounts for an array or a collection before it is allocated.
   *
   * @param each memory of one element, bytes
   */
  void take(int elements, int each) {
    elementsLeft -= elements;
    if (elements < 0 || elementsLeft < 0) {
      throw new StateRefusedException(
          "an array or a collection of %,d elements is longer than its bytes",
          elements & 0xffff_ffffL);
    }
    takeMemory((long) elements * each);
  }

  /** Accounts for the memory of an object or its content. */
  void takeMemory(long bytes) {
    memoryLeft -= bytes;
    if (memoryLeft < 0) {
      throw new StateRefusedException(
          "its objects take more memory than this process can have (-Xmx)");
    }
  }

  /**
   * Reads the number of the next content that is stored beside the state; these come in ascending
   * order.
   */
  int nextContent() {
    int number = readVarInt(true);
    if (number != contents) {
      throw new StateRefusedException(
          "the content %d beside it comes where %d was written", number, contents);
    }
    contents++;
    return number;
  }

  @Override
  public String readString() {
    takeMemory(2L * OBJECT_BYTES);
    return super.readString();
  }

  /** Reads a length, mostly that of a string, and checks it against the bytes that there are. */
  @Override
  public int readVarIntFlag(boolean optimizePositive) {
    int length = super.readVarIntFlag(optimizePositive);
    if (length < 0 || length > limit + MAX_WITHOUT_BYTES) {
      throw new StateRefusedException(
          "a text or a collection of %,d is longer than its bytes", length & 0xffff_ffffL);
    }
    return length;
  }
}
