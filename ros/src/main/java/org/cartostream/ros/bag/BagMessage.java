package org.cartostream.ros.bag;

import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.unpack.UnpackLimit;

/** A message of a bag. */
record BagMessage(Connection connection, long atNanos, byte[] bytes)
    implements MessageFile.RecordedMessage {

  /** A topic of the bag. */
  record Connection(String topic, String type, String md5) {}

  @Override
  public String topic() {
    return connection.topic();
  }

  @Override
  public String type() {
    return connection.type();
  }

  @Override
  public boolean is(MessageType<?> type) {
    return connection.md5().equals(type.md5());
  }

  @Override
  public <M extends Record> M as(MessageType<M> type) {
    UnpackLimit.checkMessage(bytes.length);
    return type.decode(bytes);
  }
}
