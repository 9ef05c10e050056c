package org.cartostream.ros.serialization;

import java.util.concurrent.TimeUnit;
import org.cartostream.ros.serialization.RecordMapping.MappedField;

/** Differences between ROS 2's messages and those of ROS 1 of the same name. */
final class Ros2Differences {

  static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private Ros2Differences() {}

  /** ROS 2's header has no consecutive number; it is 0 then. */
  static boolean lacksField(RecordMapping<?> mapping, MappedField mappedField) {
    return mapping.name().equals("std_msgs/Header") && mappedField.field().name().equals("seq");
  }
}
