package org.cartostream.ros.serialization;

import java.util.concurrent.TimeUnit;
import org.cartostream.ros.serialization.RecordMapping.MappedField;

/** Where ROS 2's messages differ from those of ROS 1 of the same name. */
final class Ros2Differences {

  static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private Ros2Differences() {}

  /** ROS 2's header has no consecutive number; it is 0 then. */
  static boolean lacksField(RecordMapping<?> shape, MappedField mappedField) {
    return shape.name().equals("std_msgs/Header") && mappedField.field().name().equals("seq");
  }
}
