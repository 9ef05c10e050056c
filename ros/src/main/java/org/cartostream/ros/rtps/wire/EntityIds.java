package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers of the entities in a participant (9.3.1.2): a key of three bytes, and a kind. */
public final class EntityIds {

  /** Entity id that stands for each matched reader. */
  public static final int UNKNOWN = 0;

  public static final int PARTICIPANT = 0x1c1;
  public static final int SPDP_WRITER = 0x100c2;
  public static final int SPDP_READER = 0x100c7;
  public static final int PUBLICATIONS_WRITER = 0x3c2;
  public static final int PUBLICATIONS_READER = 0x3c7;
  public static final int SUBSCRIPTIONS_WRITER = 0x4c2;
  public static final int SUBSCRIPTIONS_READER = 0x4c7;

  private static final int WRITER_WITHOUT_KEY = 0x03;
  private static final int READER_WITHOUT_KEY = 0x04;
  private static final int KIND_BITS = 8;

  private EntityIds() {}

  /** Returns the id of a user-defined writer of a topic without keys; ROS topics have none. */
  public static int writer(int key) {
    return key << KIND_BITS | WRITER_WITHOUT_KEY;
  }

  /** Returns the id of a user-defined reader of a topic without keys. */
  public static int reader(int key) {
    return key << KIND_BITS | READER_WITHOUT_KEY;
  }

  static int read(ByteBuffer in) {
    int value = in.getInt();
    return in.order() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
  }
}
