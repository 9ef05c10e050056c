package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/** {@code diagnostic_msgs/DiagnosticArray}. */
public record DiagnosticArray(Header header, List<DiagnosticStatus> status) {

  public static final MessageType<DiagnosticArray> TYPE =
      MessageType.of("diagnostic_msgs/DiagnosticArray", DiagnosticArray.class);
}
