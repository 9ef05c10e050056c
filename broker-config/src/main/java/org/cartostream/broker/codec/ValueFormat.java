package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.BrokerRefusal;

/**
 * Encoding of the values of one type. Whole numbers have as few bytes as they need, floating-point
 * numbers their raw bits, so that every reading arrives as it was sent.
 *
 * @param form {@link #NUMBER}, {@link #DOUBLE} or {@link #SIZED}: tells a reader that does not know
 *     the field how to skip it
 * @param absent value of a missing field; it is not written
 */
record ValueFormat(int form, Object absent, Writer writer, Reader reader) {

  /** Form of one to nine bytes, zigzag, as Kryo has a {@code long} of variable length. */
  static final int NUMBER = 0;

  /** Form of eight bytes, little-endian. */
  static final int DOUBLE = 1;

  /** Form of a length, and so many bytes. */
  static final int SIZED = 2;

  private static final int MAX_TEXT_BYTES = 4096;

  /** Encodings of the types that contain no other types. */
  private static final Map<Type, ValueFormat> SIMPLE =
      Map.of(
          long.class,
          number(0L, in -> in.readVarLong(false)),
          int.class,
          number(0, in -> (int) within(Integer.MIN_VALUE, in.readVarLong(false), 1L << 31)),
          boolean.class,
          new ValueFormat(
              NUMBER,
              false,
              (out, flag) -> out.writeVarLong((boolean) flag ? 1 : 0, false),
              in -> within(0, in.readVarLong(false), 2) == 1),
          double.class,
          // Kryo's own writeDouble makes every NaN the same.
          new ValueFormat(
              DOUBLE,
              0.0,
              (out, value) -> out.writeLong(Double.doubleToRawLongBits((double) value)),
              in -> Double.longBitsToDouble(in.readLong())),
          String.class,
          new ValueFormat(
              SIZED, "", (out, text) -> writeText(out, (String) text), ValueFormat::readText),
          byte[].class,
          new ValueFormat(
              SIZED,
              new byte[0],
              (out, bytes) -> out.writeBytes((byte[]) bytes),
              in -> in.readBytes(in.left())),
          float[].class,
          new ValueFormat(
              SIZED,
              new float[0],
              (out, floats) -> writeFloats(out, (float[]) floats),
              ValueFormat::readFloats));

  /** Writer of a value; of a sized value it writes the bytes, not their number. */
  interface Writer {
    void write(Output out, Object value);
  }

  /** Reader of a value; of a sized value it reads all bytes that are left. */
  interface Reader {
    Object read(FrameInput in);
  }

  /**
   * Returns the encoding of a record's component, or of a list's element, by its type.
   *
   * @throws IllegalArgumentException if a message cannot contain the type
   */
  static ValueFormat of(Type type) {
    if (type == Long.class || type == Integer.class) {
      return SIMPLE.get(type == Long.class ? long.class : int.class);
    }
    if (SIMPLE.containsKey(type)) {
      return SIMPLE.get(type);
    }
    if (type instanceof Class<?> its && its.isRecord()) {
      return new RecordFormat(its).asValue();
    }
    if (type instanceof Class<?> its && its.isSealed()) {
      return oneOf(its.getPermittedSubclasses());
    }
    if (type instanceof Class<?> its && its.isEnum()) {
      return constants(its.getEnumConstants());
    }
    if (type instanceof ParameterizedType its && its.getRawType() == List.class) {
      return list(of(its.getActualTypeArguments()[0]));
    }
    if (type instanceof ParameterizedType its && its.getRawType() == Map.class) {
      return map(of(its.getActualTypeArguments()[0]), of(its.getActualTypeArguments()[1]));
    }
    throw new IllegalArgumentException(
        type
            + " cannot be in a message; numbers, texts, arrays, enums, lists, maps and records can");
  }

  private static ValueFormat number(Object absent, Reader reader) {
    return new ValueFormat(
        NUMBER,
        absent,
        (out, value) -> out.writeVarLong(((Number) value).longValue(), false),
        reader);
  }

  private static ValueFormat constants(Object[] all) {
    return new ValueFormat(
        NUMBER,
        null,
        (out, value) -> out.writeVarLong(((Enum<?>) value).ordinal(), false),
        in -> all[(int) within(0, in.readVarLong(false), all.length)]);
  }

  /**
   * Returns the encoding of a sealed interface: the number of one of its records, from 1, and its
   * fields.
   */
  private static ValueFormat oneOf(Class<?>[] permitted) {
    List<Class<?>> kinds = List.of(permitted);
    List<RecordFormat> formats = kinds.stream().map(RecordFormat::new).toList();
    return new ValueFormat(
        SIZED,
        null,
        (out, value) -> {
          int kind = kinds.indexOf(value.getClass());
          out.writeVarInt(kind + 1, true);
          formats.get(kind).write(out, value);
        },
        in -> {
          int number = in.readVarInt(true);
          if (number < 1 || number > formats.size()) {
            throw BrokerRefusal.UNKNOWN_TYPE.exception(
                "kind %d, where 1 to %d, %s, are known"
                    .formatted(number, formats.size(), formats.get(formats.size() - 1)));
          }
          return formats.get(number - 1).read(in);
        });
  }

  private static ValueFormat list(ValueFormat element) {
    return new ValueFormat(
        SIZED,
        List.of(),
        (out, list) -> ((List<?>) list).forEach(each -> element.write(out, each)),
        in -> {
          List<Object> list = new ArrayList<>();
          while (in.left() > 0) {
            in.countElement();
            list.add(element.read(in));
          }
          return list;
        });
  }

  private static ValueFormat map(ValueFormat key, ValueFormat value) {
    return new ValueFormat(
        SIZED,
        Map.of(),
        (out, map) ->
            ((Map<?, ?>) map)
                .forEach(
                    (each, its) -> {
                      key.write(out, each);
                      value.write(out, its);
                    }),
        in -> {
          Map<Object, Object> map = new LinkedHashMap<>();
          while (in.left() > 0) {
            in.countElement();
            map.put(key.read(in), value.read(in));
          }
          return map;
        });
  }

  /** Writes a value; a sized value behind its length. */
  void write(Output out, Object value) {
    if (form != SIZED) {
      writer.write(out, value);
      return;
    }
    int from = out.position() + 1;
    out.writeByte(0); // Room for a length of one byte; a longer one moves the value.
    writer.write(out, value);
    int length = out.position() - from;
    int more = Output.varIntLength(length, true) - 1;
    for (int i = 0; i < more; i++) {
      out.writeByte(0);
    }
    int end = out.position();
    System.arraycopy(out.getBuffer(), from, out.getBuffer(), from + more, length);
    out.setPosition(from - 1);
    out.writeVarInt(length, true);
    out.setPosition(end);
  }

  /** Reads a value, as {@link #write} has written it. */
  Object read(FrameInput in) {
    if (form != SIZED) {
      return reader.read(in);
    }
    int length = in.readLength();
    int limit = in.limit();
    in.setLimit(in.position() + length);
    Object value = reader.read(in);
    in.setLimit(limit);
    return value;
  }

  /** Skips a value of which only the form is known. */
  static void skip(FrameInput in, int form) {
    switch (form) {
      case NUMBER -> in.readVarLong(false);
      case DOUBLE -> in.readLong();
      case SIZED -> in.setPosition(in.readLength() + in.position());
      default -> throw BrokerRefusal.GARBAGE.exception("a field of form " + form);
    }
  }

  private static long within(long min, long value, long end) {
    if (value < min || value >= end) {
      throw BrokerRefusal.BAD_VALUE.exception(
          value + ", where " + min + " to " + (end - 1) + " would make sense");
    }
    return value;
  }

  /** Writes a text; one that is too long is cut, rather than the message refused. */
  private static void writeText(Output out, String text) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.min(MAX_TEXT_BYTES, 3 * text.length()));
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(text), bytes, true);
    out.writeBytes(bytes.array(), 0, bytes.position());
  }

  private static String readText(FrameInput in) {
    if (in.left() > MAX_TEXT_BYTES) {
      throw BrokerRefusal.BAD_VALUE.exception(
          "a text of " + in.left() + " bytes, at most " + MAX_TEXT_BYTES);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(in.readBytes(in.left())))
          .toString();
    } catch (CharacterCodingException e) {
      throw BrokerRefusal.BAD_VALUE.exception("a text that is not UTF-8");
    }
  }

  private static void writeFloats(Output out, float[] floats) {
    byte[] bytes = new byte[Float.BYTES * floats.length];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(floats);
    out.writeBytes(bytes);
  }

  private static float[] readFloats(FrameInput in) {
    if (in.left() % Float.BYTES != 0) {
      throw BrokerRefusal.TRUNCATED.exception(in.left() + " bytes of numbers of 4 bytes");
    }
    float[] floats = new float[in.left() / Float.BYTES];
    ByteBuffer.wrap(in.getBuffer(), in.position(), in.left())
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(floats);
    in.setPosition(in.limit());
    return floats;
  }
}
