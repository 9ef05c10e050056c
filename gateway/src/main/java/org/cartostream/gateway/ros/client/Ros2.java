package org.cartostream.gateway.ros.client;

import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.client.RecordShape.Part;

/** Where ROS 2's messages differ from those of ROS 1 of the same name. */
final class Ros2 {

  static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private Ros2() {}

  /** ROS 2's header has no consecutive number; it is 0 then. */
  static boolean lacks(RecordShape<?> shape, Part part) {
    return shape.name().equals("std_msgs/Header") && part.field().name().equals("seq");
  }
}
