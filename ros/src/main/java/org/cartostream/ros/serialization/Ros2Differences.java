package org.cartostream.ros.serialization;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.serialization.MessageDefinition.Field;
import org.cartostream.ros.serialization.RecordMapping.MappedField;

/** Differences between ROS 2's messages and those of ROS 1 of the same name. */
final class Ros2Differences {

  static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final String TIME = "builtin_interfaces/Time";
  private static final String DURATION = "builtin_interfaces/Duration";

  private Ros2Differences() {}

  /** True for the field {@code seq} of a header, which ROS 2 does not have; decoded as 0. */
  static boolean lacksField(RecordMapping<?> mapping, MappedField mappedField) {
    return lacksField(mapping.name(), mappedField.field());
  }

  private static boolean lacksField(String message, Field field) {
    return message.equals("std_msgs/Header") && field.name().equals("seq");
  }

  /** Returns the ROS 2 text of a definition, without those of nested messages. */
  static String text(MessageDefinition definition) {
    StringBuilder text = new StringBuilder();
    definition.constants().forEach(constant -> text.append(constant).append('\n'));
    for (Field field : definition.fields()) {
      if (!lacksField(definition.name(), field)) {
        String written = field.written();
        text.append(
                switch (field.type()) {
                  case "time" -> written.replaceFirst("time", TIME);
                  case "duration" -> written.replaceFirst("duration", DURATION);
                  default -> written;
                })
            .append(' ')
            .append(field.name())
            .append('\n');
      }
    }
    return text.toString();
  }

  /**
   * Returns the definitions of time and duration, which are messages in ROS 2 only, if a text names
   * them.
   */
  static Map<String, String> builtInTexts(String text) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String type : List.of(TIME, DURATION)) {
      if (text.contains(type)) {
        texts.put(type, "int32 sec\nuint32 nanosec\n");
      }
    }
    return texts;
  }
}
