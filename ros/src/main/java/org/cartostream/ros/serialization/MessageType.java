package org.cartostream.ros.serialization;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cartostream.ros.RosException;

/**
 * A ROS message's type: its definition, and the Java record that mirrors it.
 *
 * <p>The {@code .msg} text is the only description; MD5 sum and wire format follow from it. The
 * record has one component per field, in the same order, named alike ({@code angle_min} is {@code
 * angleMin}), and of this type:
 *
 * <ul>
 *   <li>{@code bool}: boolean; {@code int8}, {@code uint8}, {@code byte}, {@code char}: byte;
 *       {@code int32}: int; {@code uint32}, {@code int64}: long; {@code float32}: float; {@code
 *       float64}: double; {@code string}: String;
 *   <li>{@code time}, {@code duration}: long, nanoseconds;
 *   <li>arrays of bytes, floats and doubles: a Java array; of messages: a List;
 *   <li>a message: its record.
 * </ul>
 *
 * @param <M> the record
 */
public final class MessageType<M extends Record> {

  private final String name;
  private final String md5;
  private final String fullText;
  private final String ros2Text;
  private final RecordMapping<M> mapping;
  private final WireFormat<M> format;

  private MessageType(MessageDefinition definition, RecordMapping<M> mapping) {
    this.name = definition.name();
    this.md5 = Md5.of(definition);
    this.fullText = definition.fullText();
    this.ros2Text = definition.ros2Text();
    this.mapping = mapping;
    this.format = new WireFormat.OfRecord<>(mapping);
  }

  /**
   * Returns the type of a message.
   *
   * @param name with its package: {@code sensor_msgs/LaserScan}
   * @throws IllegalArgumentException if there is no such definition, or the record is not its
   *     mirror
   */
  public static <M extends Record> MessageType<M> of(String name, Class<M> mirror) {
    return of(MessageDefinition.named(name), mirror);
  }

  static <M extends Record> MessageType<M> of(MessageDefinition definition, Class<M> mirror) {
    return new MessageType<>(definition, RecordMapping.of(definition, mirror));
  }

  /** Returns the name with its package: {@code sensor_msgs/LaserScan}. */
  public String name() {
    return name;
  }

  /** Returns the name as ROS 2 writes it: {@code sensor_msgs/msg/LaserScan}. */
  public String ros2Name() {
    return name.replace("/", "/msg/");
  }

  /** Returns the MD5 sum of the type, 32 hexadecimal digits. */
  public String md5() {
    return md5;
  }

  /** Returns the definition, with those of all nested messages. */
  public String fullText() {
    return fullText;
  }

  /** Returns the definition in ROS 2's form, as in MCAP schemas of the encoding {@code ros2msg}. */
  public String ros2Text() {
    return ros2Text;
  }

  /** Encodes a message for the wire of ROS 1, without its length. */
  public byte[] encode(M message) {
    WireWriter out = new WireWriter();
    format.write(message, out);
    return out.bytes();
  }

  /**
   * Decodes a message of ROS 1.
   *
   * @throws RosException if they are cut off or hold more than a message
   */
  public M decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      M message = format.read(in);
      if (in.hasRemaining()) {
        throw new RosException(
            "a " + name + " of " + bytes.length + " bytes is " + in.remaining() + " too long");
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new RosException("a " + name + " of " + bytes.length + " bytes is cut off", e);
    }
  }

  /**
   * Decodes a message of ROS 2.
   *
   * @param bytes message in CDR, with its encapsulation header
   * @throws RosException if they are cut off, or are of another representation
   */
  public M decodeCdr(byte[] bytes) {
    return CdrReader.read(bytes, mapping);
  }

  /** Encodes a message for ROS 2: in CDR, with its encapsulation header. */
  public byte[] encodeCdr(M message) {
    return CdrWriter.write(message, mapping);
  }

  /** Encodes a message as JSON for a ROS 2 rosbridge server. */
  public JsonNode toJson(M message) {
    return JsonFormat.write(message, mapping);
  }

  /**
   * Decodes a JSON message of a ROS 2 rosbridge server.
   *
   * @throws RosException if a field is missing or of another type
   */
  public M fromJson(JsonNode json) {
    return JsonFormat.read(json, mapping);
  }

  @Override
  public String toString() {
    return name;
  }
}
