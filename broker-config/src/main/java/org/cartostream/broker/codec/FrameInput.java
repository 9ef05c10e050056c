package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Input;
import org.cartostream.broker.BrokerRefusal;

/** A frame that is decoded. Owns how many elements its lists may still have, all together. */
final class FrameInput extends Input {

  /** More than the longest lists of messages have, of elements that may be empty. */
  private static final int FEW_ELEMENTS = 1 << 18;

  private static final int BYTES_AN_ELEMENT = 16;

  private int elementsLeft;

  FrameInput(byte[] frame, int from) {
    super(frame, from, frame.length - from);
    elementsLeft = FEW_ELEMENTS + frame.length / BYTES_AN_ELEMENT;
  }

  /**
   * Before one more element is made, which takes one byte here, and much more memory.
   *
   * @throws org.cartostream.broker.RefusedMessageException if it is one too many
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
   * A length that is followed by as many bytes, at least.
   *
   * @throws org.cartostream.broker.RefusedMessageException if there are fewer
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
