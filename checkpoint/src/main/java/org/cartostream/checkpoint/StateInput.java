package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.io.Input;

/**
 * The bytes of a state, which may be a stranger's: arrays and collections are no longer than they
 * can account for, and all objects take no more memory than there is.
 */
final class StateInput extends Input {

  /** Elements that take no byte: those of lists of nothing but nulls. */
  private static final int MAX_WITHOUT_BYTES = 1 << 16;

  /** Size of any object: its head, and its place among those that can be referred to. */
  static final int OBJECT_BYTES = 24;

  /** Number of elements that may still come, in all arrays and collections together. */
  private long elementsLeft;

  /** Memory that they and all objects may still take, bytes. */
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
   * An array or a collection has so many elements.
   *
   * @param each what one takes, bytes
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

  /** An object comes, or what is in it. */
  void takeMemory(long bytes) {
    memoryLeft -= bytes;
    if (memoryLeft < 0) {
      throw new StateRefusedException(
          "its objects take more memory than this process can have (-Xmx)");
    }
  }

  /** The number of the content beside the state that comes next: they lie in their order. */
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

  /** The length of a string, above all. */
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
