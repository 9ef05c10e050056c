package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.io.Input;

/**
 * Kryo input for the bytes of a state that is not trusted. Refuses arrays and collections with more
 * elements than the bytes can hold, and states whose objects would take more memory than is left.
 */
final class StateInput extends Input {

  /** Number of elements that a state may have beyond the number of its bytes. */
  private static final int MAX_WITHOUT_BYTES = 1 << 16;

  /**
   * Memory of an object without fields, bytes: its header, and its entry in Kryo's table of
   * references.
   */
  static final int OBJECT_BYTES = 24;

  /** Number of elements that further arrays and collections may have, all together. */
  private long elementsLeft;

  /** Memory that further elements and objects may take, bytes. */
  private long memoryLeft;

  private int contents;

  /**
   * @param memory heap memory that the bytes and the objects read from them may take, bytes
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
   * Reads the number of a {@link CheckpointPart} that holds large content beside the state. Numbers
   * must come in ascending order, from 0.
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

  /** Reads the length of a string or a collection, and checks that the state has enough bytes. */
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
