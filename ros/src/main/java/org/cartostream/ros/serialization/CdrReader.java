package org.cartostream.ros.serialization;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.RosException;
import org.cartostream.ros.serialization.MessageDefinition.Field;
import org.cartostream.ros.serialization.RecordMapping.MappedField;

/**
 * Reads a ROS 2 message as it crosses the wire and lies in logs: CDR, version 1 (OMG, DDS
 * Interoperability Wire Protocol 2.2, section 10; CORBA 3.3 part 2, section 9.3). After four bytes
 * that name the representation, each number is aligned to its own size; strings end with a zero
 * byte that their length counts.
 *
 * <p>Owns the position in the bytes.
 */
final class CdrReader {

  private static final int HEADER_BYTES = 4;
  private static final int BIG_ENDIAN = 0;
  private static final int LITTLE_ENDIAN = 1;

  private final ByteBuffer in;

  private CdrReader(ByteBuffer in) {
    this.in = in;
  }

  /**
   * @throws RosException if the bytes are cut off, or of another representation
   */
  static <M extends Record> M read(byte[] bytes, RecordMapping<M> mapping) {
    if (bytes.length < HEADER_BYTES
        || bytes[0] != 0
        || (bytes[1] != LITTLE_ENDIAN && bytes[1] != BIG_ENDIAN)) {
      throw new RosException("a " + mapping.name() + " of ROS 2 is not in plain CDR");
    }
    ByteOrder order = bytes[1] == LITTLE_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer body = ByteBuffer.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES).slice();
    try {
      return new CdrReader(body.order(order)).message(mapping);
    } catch (BufferUnderflowException e) {
      throw new RosException(
          "a " + mapping.name() + " of " + bytes.length + " bytes is cut off", e);
    }
  }

  private <M extends Record> M message(RecordMapping<M> mapping) {
    return mapping.build(
        mappedField -> Ros2Differences.lacksField(mapping, mappedField) ? 0L : value(mappedField));
  }

  private Object value(MappedField mappedField) {
    Field field = mappedField.field();
    if (mappedField.isSingle()) {
      return mappedField.nested() == null ? single(field.type()) : message(mappedField.nested());
    }
    int count = field.length() == Field.ANY ? count() : field.length();
    return mappedField.nested() == null
        ? array(field.type(), count)
        : messages(mappedField.nested(), count);
  }

  private List<Record> messages(RecordMapping<?> mapping, int count) {
    List<Record> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(message(mapping));
    }
    return messages;
  }

  private Object single(String type) {
    return switch (type) {
      case "bool" -> in.get() != 0;
      case "int8", "uint8", "byte", "char" -> in.get();
      case "int32" -> aligned(Integer.BYTES).getInt();
      case "uint32" -> Integer.toUnsignedLong(aligned(Integer.BYTES).getInt());
      case "int64" -> aligned(Long.BYTES).getLong();
      case "float32" -> aligned(Float.BYTES).getFloat();
      case "float64" -> aligned(Double.BYTES).getDouble();
      case "time", "duration" ->
          aligned(Integer.BYTES).getInt() * Ros2Differences.SECOND
              + Integer.toUnsignedLong(in.getInt());
      case "string" -> text();
      default -> throw new IllegalArgumentException("no field of type " + type + " yet");
    };
  }

  private Object array(String type, int count) {
    switch (type) {
      case "int8", "uint8", "byte", "char" -> {
        byte[] values = new byte[checked(count, 1)];
        in.get(values);
        return values;
      }
      case "float32" -> {
        float[] values = new float[checked(count, Float.BYTES)];
        for (int i = 0; i < count; i++) {
          values[i] = aligned(Float.BYTES).getFloat();
        }
        return values;
      }
      case "float64" -> {
        double[] values = new double[checked(count, Double.BYTES)];
        for (int i = 0; i < count; i++) {
          values[i] = aligned(Double.BYTES).getDouble();
        }
        return values;
      }
      default -> throw new IllegalArgumentException("no array of " + type + " yet");
    }
  }

  private ByteBuffer aligned(int bytes) {
    int past = in.position() % bytes;
    int to = past == 0 ? in.position() : in.position() + bytes - past;
    if (to > in.limit()) {
      throw new BufferUnderflowException();
    }
    return in.position(to);
  }

  private int count() {
    int count = aligned(Integer.BYTES).getInt();
    return checked(count, 1);
  }

  /** Checks that the bytes can hold {@code count} elements, before memory is allocated for them. */
  private int checked(int count, int bytesEach) {
    if (count < 0 || (long) count * bytesEach > in.remaining()) {
      throw new BufferUnderflowException();
    }
    return count;
  }

  private String text() {
    byte[] bytes = new byte[count()];
    in.get(bytes);
    int length = bytes.length > 0 && bytes[bytes.length - 1] == 0 ? bytes.length - 1 : bytes.length;
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
