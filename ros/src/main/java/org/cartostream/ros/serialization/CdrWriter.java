package org.cartostream.ros.serialization;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cartostream.ros.serialization.MessageDefinition.Field;
import org.cartostream.ros.serialization.RecordMapping.MappedField;

/**
 * Writes a message as ROS 2 has it on the wire: CDR of version 1, little-endian, as {@link
 * CdrReader} reads it. Owns the bytes.
 */
final class CdrWriter {

  private static final int HEADER_BYTES = 4;
  private static final int LITTLE_ENDIAN = 1;

  private final WireWriter out = new WireWriter();

  /**
   * Creates a writer with an empty message; numbers are aligned relative to its first byte, behind
   * the header.
   */
  private CdrWriter() {
    out.room(HEADER_BYTES).put((byte) 0).put((byte) LITTLE_ENDIAN).putShort((short) 0);
  }

  static byte[] write(Record message, RecordMapping<?> mapping) {
    CdrWriter writer = new CdrWriter();
    if (mapping.fields().isEmpty()) {
      writer.out.room(1).put((byte) 0); // IDL knows no structure without a member.
    }
    writer.message(message, mapping);
    return writer.out.bytes();
  }

  private void message(Record message, RecordMapping<?> mapping) {
    for (MappedField mappedField : mapping.fields()) {
      if (!Ros2Differences.lacksField(mapping, mappedField)) {
        value(RecordMapping.value(message, mappedField), mappedField);
      }
    }
  }

  private void value(Object value, MappedField mappedField) {
    Field field = mappedField.field();
    if (value instanceof List<?> messages) {
      count(field, messages.size());
      messages.forEach(each -> message((Record) each, mappedField.nested()));
    } else if (mappedField.nested() != null) {
      message((Record) value, mappedField.nested());
    } else if (value instanceof byte[] bytes) {
      count(field, bytes.length);
      out.room(bytes.length).put(bytes);
    } else if (value instanceof float[] numbers) {
      count(field, numbers.length);
      aligned(Float.BYTES, Float.BYTES * numbers.length);
      for (float number : numbers) {
        out.room(Float.BYTES).putFloat(number);
      }
    } else if (value instanceof double[] numbers) {
      count(field, numbers.length);
      if (numbers.length > 0) {
        aligned(Double.BYTES, Double.BYTES * numbers.length);
      }
      for (double number : numbers) {
        out.room(Double.BYTES).putDouble(number);
      }
    } else {
      single(value, field.type());
    }
  }

  private void single(Object value, String type) {
    switch (type) {
      case "bool" -> out.room(1).put((byte) ((boolean) value ? 1 : 0));
      case "int8", "uint8", "byte", "char" -> out.room(1).put((byte) value);
      case "int32" -> aligned(Integer.BYTES, Integer.BYTES).putInt((int) value);
      case "uint32" -> aligned(Integer.BYTES, Integer.BYTES).putInt((int) (long) value);
      case "int64" -> aligned(Long.BYTES, Long.BYTES).putLong((long) value);
      case "float32" -> aligned(Float.BYTES, Float.BYTES).putFloat((float) value);
      case "float64" -> aligned(Double.BYTES, Double.BYTES).putDouble((double) value);
      case "time", "duration" -> {
        long nanos = (long) value;
        aligned(Integer.BYTES, 2 * Integer.BYTES)
            .putInt((int) Math.floorDiv(nanos, Ros2Differences.SECOND))
            .putInt((int) Math.floorMod(nanos, Ros2Differences.SECOND));
      }
      case "string" -> {
        byte[] bytes = ((String) value).getBytes(StandardCharsets.UTF_8);
        aligned(Integer.BYTES, Integer.BYTES + bytes.length + 1)
            .putInt(bytes.length + 1)
            .put(bytes)
            .put((byte) 0);
      }
      default -> throw new IllegalArgumentException("no field of type " + type + " yet");
    }
  }

  private void count(Field field, int count) {
    if (field.length() == Field.ANY) {
      aligned(Integer.BYTES, Integer.BYTES).putInt(count);
    } else if (field.length() != count) {
      throw new IllegalArgumentException(
          "an array of " + count + " elements; it must have " + field.length());
    }
  }

  /** Returns a buffer with room for {@code bytes} more, behind the padding of an alignment. */
  private ByteBuffer aligned(int alignment, int bytes) {
    int past = (out.size() - HEADER_BYTES) % alignment;
    int gap = past == 0 ? 0 : alignment - past;
    return out.room(gap + bytes).put(new byte[gap]);
  }
}
