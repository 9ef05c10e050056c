package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Input;
import org.cartostream.broker.BrokerRefusal;

/**
 * Input of a frame that is decoded. Owns the number of elements that its lists may still have, all
 * together.
 */
final class FrameInput extends Input {

  /**
   * Number of list elements that any frame may have, however short: more than the longest lists of
   * messages.
   */
  private static final int FEW_ELEMENTS = 1 << 18;

  private static final int BYTES_AN_ELEMENT = 16;

  private int elementsLeft;

  FrameInput(byte[] frame, int from) {
    super(frame, from, frame.length - from);
    elementsLeft = FEW_ELEMENTS + frame.length / BYTES_AN_ELEMENT;
  }

  /**
   * Counts a list's element before it is made: it may be one byte in the frame, and much more in
   * memory.
   *
   * @throws org.cartostream.broker.RefusedMessageException if the lists have too many elements
   */
  void countElement() {
    if (--elementsLeft < 0) {
      throw BrokerRefusal.BAD_VALUE.exception("lists with more elements than bytes of a message");
    }
  }

  int left() {
    return limit() - position();
  }

  /**
   * Reads a length, which at least as many bytes must follow.
   *
   * @throws org.cartostream.broker.RefusedMessageException if there are fewer bytes
   */
  int readLength() {
    int length = readVarInt(true);
    if (length < 0 || length > left()) {
      throw BrokerRefusal.TRUNCATED.exception(
          Integer.toUnsignedString(length) + " bytes in the last " + left());
    }
    return length;
  }
}
