/**
 * ROS message types as records that mirror the {@code .msg} texts among this package's resources;
 * see {@link org.cartostream.ros.serialization.MessageType}.
 */
package org.cartostream.ros.message;
