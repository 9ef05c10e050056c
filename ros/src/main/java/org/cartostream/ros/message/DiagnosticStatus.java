package org.cartostream.ros.message;

import java.util.List;

/**
 * {@code diagnostic_msgs/DiagnosticStatus}.
 *
 * @param level {@link #OK}, {@link #WARN} or {@link #ERROR}
 */
public record DiagnosticStatus(
    byte level, String name, String message, String hardwareId, List<KeyValue> values) {

  public static final byte OK = 0;
  public static final byte WARN = 1;
  public static final byte ERROR = 2;
}
