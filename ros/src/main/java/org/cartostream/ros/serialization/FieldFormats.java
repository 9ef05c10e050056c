package org.cartostream.ros.serialization;

import java.lang.reflect.RecordComponent;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.cartostream.ros.serialization.MessageDefinition.Field;

/** Formats of the types that a field can have, and the Java types of their values. */
final class FieldFormats {

  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  private FieldFormats() {}

  /**
   * Returns the format of a field.
   *
   * @throws IllegalArgumentException if the component is of another type than the field needs
   */
  @SuppressWarnings("unchecked")
  static WireFormat<Object> of(RecordMapping.MappedField mappedField) {
    Field field = mappedField.field();
    if (mappedField.nested() == null) {
      BuiltIn<?> found = mappedField.isSingle() ? single(field) : array(field);
      check(field, mappedField.component(), found.type());
      return (WireFormat<Object>) found.format();
    }
    WireFormat<?> element = new WireFormat.OfRecord<>(mappedField.nested());
    return mappedField.isSingle()
        ? (WireFormat<Object>) element
        : (WireFormat<Object>)
            (WireFormat<?>) new WireFormat.OfList(field.length(), (WireFormat<Object>) element);
  }

  private static void check(Field field, RecordComponent component, Class<?> needed) {
    if (component.getType() != needed) {
      throw RecordMapping.unfit(field, component, needed.getSimpleName());
    }
  }

  /** A Java type and the format of its values. */
  private record BuiltIn<T>(Class<?> type, WireFormat<T> format) {}

  private static BuiltIn<?> single(Field field) {
    return switch (field.type()) {
      case "bool" ->
          number(
              boolean.class,
              1,
              (out, value) -> out.put((byte) (value ? 1 : 0)),
              in -> in.get() != 0);
      case "int8", "uint8", "byte", "char" ->
          number(byte.class, 1, ByteBuffer::put, ByteBuffer::get);
      case "int32" -> number(int.class, Integer.BYTES, ByteBuffer::putInt, ByteBuffer::getInt);
      case "uint32" ->
          number(
              long.class,
              Integer.BYTES,
              (out, value) -> out.putInt(unsigned(value)),
              FieldFormats::uint32);
      case "int64" -> number(long.class, Long.BYTES, ByteBuffer::putLong, ByteBuffer::getLong);
      case "float32" ->
          number(float.class, Float.BYTES, ByteBuffer::putFloat, ByteBuffer::getFloat);
      case "float64" ->
          number(double.class, Double.BYTES, ByteBuffer::putDouble, ByteBuffer::getDouble);
      case "time" ->
          number(
              long.class,
              2 * Integer.BYTES,
              (out, nanos) ->
                  out.putInt(unsigned(nanos / NANOS)).putInt((int) Math.floorMod(nanos, NANOS)),
              in -> uint32(in) * NANOS + uint32(in));
      case "duration" ->
          number(
              long.class,
              2 * Integer.BYTES,
              (out, nanos) ->
                  out.putInt(Math.toIntExact(Math.floorDiv(nanos, NANOS)))
                      .putInt((int) Math.floorMod(nanos, NANOS)),
              in -> in.getInt() * NANOS + in.getInt());
      case "string" -> new BuiltIn<>(String.class, new WireFormat.OfString());
      default -> throw new IllegalArgumentException("no field of type " + field.type() + " yet");
    };
  }

  private static BuiltIn<?> array(Field field) {
    int length = field.length();
    return switch (field.type()) {
      case "int8", "uint8", "byte", "char" ->
          numbers(
              byte[].class,
              length,
              1,
              values -> values.length,
              ByteBuffer::put,
              (in, count) -> {
                byte[] values = new byte[count];
                in.get(values);
                return values;
              });
      case "float32" ->
          numbers(
              float[].class,
              length,
              Float.BYTES,
              values -> values.length,
              (out, values) -> {
                out.asFloatBuffer().put(values);
                out.position(out.position() + Float.BYTES * values.length);
              },
              (in, count) -> {
                float[] values = new float[count];
                in.asFloatBuffer().get(values);
                in.position(in.position() + Float.BYTES * count);
                return values;
              });
      case "float64" ->
          numbers(
              double[].class,
              length,
              Double.BYTES,
              values -> values.length,
              (out, values) -> {
                out.asDoubleBuffer().put(values);
                out.position(out.position() + Double.BYTES * values.length);
              },
              (in, count) -> {
                double[] values = new double[count];
                in.asDoubleBuffer().get(values);
                in.position(in.position() + Double.BYTES * count);
                return values;
              });
      default -> throw new IllegalArgumentException("no array of " + field.type() + " yet");
    };
  }

  private static <T> BuiltIn<T> number(
      Class<?> type, int bytes, BiConsumer<ByteBuffer, T> put, Function<ByteBuffer, T> get) {
    return new BuiltIn<>(
        type,
        new WireFormat<T>() {
          @Override
          public void write(T value, WireWriter out) {
            put.accept(out.room(bytes), value);
          }

          @Override
          public T read(ByteBuffer in) {
            return get.apply(in);
          }
        });
  }

  /** Reads {@code count} numbers. */
  private interface Bulk<T> {
    T read(ByteBuffer in, int count);
  }

  private static <T> BuiltIn<T> numbers(
      Class<?> type,
      int length,
      int bytesEach,
      Function<T, Integer> size,
      BiConsumer<ByteBuffer, T> put,
      Bulk<T> get) {
    return new BuiltIn<>(
        type,
        new WireFormat<T>() {
          @Override
          public void write(T values, WireWriter out) {
            int count = size.apply(values);
            putCount(out, length, count);
            put.accept(out.room(count * bytesEach), values);
          }

          @Override
          public T read(ByteBuffer in) {
            return get.read(in, count(in, length, bytesEach));
          }
        });
  }

  /**
   * Returns the number of elements that follow, read if the length is variable, and checked against
   * the remaining bytes.
   */
  static int count(ByteBuffer in, int length, int bytesEach) {
    long count = length == Field.ANY ? uint32(in) : length;
    if (count * bytesEach > in.remaining()) {
      throw new BufferUnderflowException();
    }
    return (int) count;
  }

  static void putCount(WireWriter out, int length, int count) {
    if (length == Field.ANY) {
      out.room(Integer.BYTES).putInt(count);
    } else if (length != count) {
      throw new IllegalArgumentException(
          "an array of " + count + " elements; it must have " + length);
    }
  }

  private static long uint32(ByteBuffer in) {
    return Integer.toUnsignedLong(in.getInt());
  }

  private static int unsigned(long value) {
    if (value >>> Integer.SIZE != 0) {
      throw new IllegalArgumentException(value + " does not fit an unsigned 32-bit number");
    }
    return (int) value;
  }
}
