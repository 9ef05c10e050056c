package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/** {@code tf2_msgs/TFMessage}. */
public record TfMessage(List<TransformStamped> transforms) {

  public static final MessageType<TfMessage> TYPE =
      MessageType.of("tf2_msgs/TFMessage", TfMessage.class);
}
