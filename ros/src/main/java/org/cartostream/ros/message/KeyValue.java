package org.cartostream.ros.message;

/** {@code diagnostic_msgs/KeyValue}. */
public record KeyValue(String key, String value) {}
