package org.cartostream.ros.serialization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.RosException;
import org.cartostream.ros.serialization.MessageDefinition.Field;
import org.cartostream.ros.serialization.RecordMapping.MappedField;

/**
 * Converts ROS 2 messages to and from rosbridge's JSON (protocol version 2): an object by field
 * name; a time as {@code sec} and {@code nanosec}; arrays of unsigned bytes in base 64. JSON knows
 * no NaN and no infinity: rosbridge sends null for both, which is read as NaN.
 *
 * <p>rosbridge's CBOR has the same fields; arrays of numbers are typed arrays, little-endian (RFC
 * 8746).
 */
final class JsonFormat {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private JsonFormat() {}

  // --- writing ---------------------------------------------------------------------------------

  static <M extends Record> ObjectNode write(Record message, RecordMapping<M> mapping) {
    ObjectNode json = JSON.objectNode();
    for (MappedField mappedField : mapping.fields()) {
      if (!Ros2Differences.lacksField(mapping, mappedField)) {
        json.set(
            mappedField.field().name(),
            written(RecordMapping.value(message, mappedField), mappedField));
      }
    }
    return json;
  }

  private static JsonNode written(Object value, MappedField mappedField) {
    if (mappedField.isSingle()) {
      return mappedField.nested() == null
          ? single(value, mappedField.field().type())
          : write((Record) value, mappedField.nested());
    }
    ArrayNode array = JSON.arrayNode();
    if (value instanceof List<?> messages) {
      messages.forEach(each -> array.add(write((Record) each, mappedField.nested())));
    } else if (value instanceof float[] numbers) {
      for (float number : numbers) {
        array.add(number(number));
      }
    } else if (value instanceof double[] numbers) {
      for (double number : numbers) {
        array.add(number(number));
      }
    } else if (mappedField.field().type().equals("int8")) {
      for (byte number : (byte[]) value) {
        array.add(number);
      }
    } else {
      return JSON.binaryNode((byte[]) value);
    }
    return array;
  }

  private static JsonNode single(Object value, String type) {
    return switch (type) {
      case "bool" -> JSON.booleanNode((boolean) value);
      case "int8" -> JSON.numberNode((byte) value);
      case "uint8", "byte", "char" -> JSON.numberNode(Byte.toUnsignedInt((byte) value));
      case "int32" -> JSON.numberNode((int) value);
      case "uint32", "int64" -> JSON.numberNode((long) value);
      case "float32" -> number((float) value);
      case "float64" -> number((double) value);
      case "string" -> JSON.textNode((String) value);
      case "time", "duration" ->
          JSON.objectNode()
              .put("sec", Math.floorDiv((long) value, Ros2Differences.SECOND))
              .put("nanosec", Math.floorMod((long) value, Ros2Differences.SECOND));
      default -> throw new IllegalArgumentException("no field of type " + type + " yet");
    };
  }

  private static JsonNode number(float value) {
    return Float.isFinite(value) ? JSON.numberNode(value) : JSON.nullNode();
  }

  private static JsonNode number(double value) {
    return Double.isFinite(value) ? JSON.numberNode(value) : JSON.nullNode();
  }

  // --- reading ---------------------------------------------------------------------------------

  /**
   * @throws RosException if a field is missing or of another type
   */
  static <M extends Record> M read(JsonNode json, RecordMapping<M> mapping) {
    return mapping.build(
        mappedField ->
            Ros2Differences.lacksField(mapping, mappedField)
                ? 0L
                : read(json.get(mappedField.field().name()), mappedField, mapping));
  }

  private static Object read(JsonNode json, MappedField mappedField, RecordMapping<?> within) {
    Field field = mappedField.field();
    try {
      if (json == null) {
        throw new RosException("it is missing");
      }
      if (mappedField.nested() != null) {
        return mappedField.isSingle()
            ? read(json, mappedField.nested())
            : messages(json, mappedField.nested());
      }
      return mappedField.isSingle() ? read(json, field.type()) : array(json, field);
    } catch (RosException e) {
      throw new RosException(within.name() + "." + field.name() + ": " + e.getMessage(), e);
    }
  }

  private static List<Record> messages(JsonNode json, RecordMapping<?> mapping) {
    List<Record> messages = new ArrayList<>();
    needed(json.isArray(), json, "an array").forEach(each -> messages.add(read(each, mapping)));
    return messages;
  }

  private static Object read(JsonNode json, String type) {
    return switch (type) {
      case "bool" -> needed(json.isBoolean(), json, "true or false").booleanValue();
      case "int8", "uint8", "byte", "char" -> (byte) whole(json);
      case "int32" -> (int) whole(json);
      case "uint32", "int64" -> whole(json);
      case "float32" -> (float) number(json);
      case "float64" -> number(json);
      case "string" -> needed(json.isTextual(), json, "a text").textValue();
      case "time", "duration" ->
          whole(json.path("sec")) * Ros2Differences.SECOND + whole(json.path("nanosec"));
      default -> throw new IllegalArgumentException("no field of type " + type + " yet");
    };
  }

  private static Object array(JsonNode json, Field field) {
    boolean bytes = !field.type().startsWith("float");
    if (bytes && (json.isTextual() || json.isBinary())) {
      return bytes(json);
    }
    if (json.isBinary()) {
      return numbers(ByteBuffer.wrap(bytes(json)).order(ByteOrder.LITTLE_ENDIAN), field);
    }
    int count = checked(needed(json.isArray(), json, "an array").size(), field);
    switch (field.type()) {
      case "float32" -> {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = (float) number(json.get(i));
        }
        return values;
      }
      case "float64" -> {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
          values[i] = number(json.get(i));
        }
        return values;
      }
      default -> {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
          values[i] = (byte) whole(json.get(i));
        }
        return values;
      }
    }
  }

  private static int checked(int count, Field field) {
    if (field.length() != Field.ANY && field.length() != count) {
      throw new RosException("it has " + count + " elements in place of " + field.length());
    }
    return count;
  }

  private static Object numbers(ByteBuffer in, Field field) {
    int size = field.type().equals("float32") ? Float.BYTES : Double.BYTES;
    if (in.remaining() % size != 0) {
      throw new RosException("it has " + in.remaining() + " bytes, no multiple of " + size);
    }
    int count = checked(in.remaining() / size, field);
    if (size == Float.BYTES) {
      float[] values = new float[count];
      in.asFloatBuffer().get(values);
      return values;
    }
    double[] values = new double[count];
    in.asDoubleBuffer().get(values);
    return values;
  }

  private static byte[] bytes(JsonNode json) {
    try {
      return json.binaryValue();
    } catch (IOException e) {
      throw new RosException("it is not in base 64", e);
    }
  }

  private static long whole(JsonNode json) {
    return needed(json.canConvertToLong(), json, "a whole number").longValue();
  }

  private static double number(JsonNode json) {
    return json.isNull() ? Double.NaN : needed(json.isNumber(), json, "a number").doubleValue();
  }

  private static JsonNode needed(boolean isIt, JsonNode json, String what) {
    if (!isIt) {
      throw new RosException("it must be " + what + ", not " + json.getNodeType());
    }
    return json;
  }
}
