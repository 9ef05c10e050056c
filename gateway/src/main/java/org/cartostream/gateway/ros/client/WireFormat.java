package org.cartostream.gateway.ros.client;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cartostream.gateway.ros.client.MessageDefinition.Field;

/**
 * How a value crosses the wire (wiki.ros.org/msg): numbers little-endian; strings, arrays of any
 * length with their length in four bytes before them; messages field by field.
 *
 * @param <T> the value's Java type
 */
interface WireFormat<T> {

  void write(T value, WireWriter out);

  /**
   * @throws BufferUnderflowException if the bytes end before the value does
   */
  T read(ByteBuffer in);

  /** The format of a message and of everything within it. */
  static <M extends Record> WireFormat<M> ofRecord(MessageDefinition definition, Class<M> mirror) {
    return new OfRecord<>(definition, mirror);
  }

  /** A message as its record. */
  final class OfRecord<M extends Record> implements WireFormat<M> {

    private final List<WireFormat<Object>> formats = new ArrayList<>();
    private final RecordComponent[] components;
    private final Constructor<M> constructor;

    private OfRecord(MessageDefinition definition, Class<M> mirror) {
      components = mirror.getRecordComponents();
      List<String> expected =
          definition.fields().stream().map(field -> camelCase(field.name())).toList();
      List<String> actual = Arrays.stream(components).map(RecordComponent::getName).toList();
      if (!actual.equals(expected)) {
        throw new IllegalArgumentException(
            mirror + " has " + actual + "; " + definition.name() + " has " + expected);
      }
      for (int i = 0; i < components.length; i++) {
        formats.add(Formats.of(definition.fields().get(i), components[i]));
      }
      try {
        constructor =
            mirror.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("a record has a canonical constructor: " + mirror, e);
      }
    }

    private static String camelCase(String snakeCase) {
      StringBuilder camelCase = new StringBuilder();
      for (String word : snakeCase.split("_")) {
        camelCase
            .append(camelCase.isEmpty() ? word.charAt(0) : Character.toUpperCase(word.charAt(0)))
            .append(word, 1, word.length());
      }
      return camelCase.toString();
    }

    @Override
    public void write(M value, WireWriter out) {
      try {
        for (int i = 0; i < components.length; i++) {
          formats.get(i).write(components[i].getAccessor().invoke(value), out);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot read " + value.getClass(), e);
      }
    }

    @Override
    public M read(ByteBuffer in) {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = formats.get(i).read(in);
      }
      try {
        return constructor.newInstance(values);
      } catch (InvocationTargetException e) {
        throw new RosException("the message makes no sense: " + e.getCause().getMessage(), e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot build " + constructor, e);
      }
    }
  }

  /** Text in UTF-8. */
  final class OfString implements WireFormat<String> {

    @Override
    public void write(String value, WireWriter out) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      out.room(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes);
    }

    @Override
    public String read(ByteBuffer in) {
      byte[] bytes = new byte[Formats.count(in, Field.ANY, 1)];
      in.get(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** An array of messages. */
  final class OfList implements WireFormat<List<Object>> {

    private final int length;
    private final WireFormat<Object> element;

    OfList(int length, WireFormat<Object> element) {
      this.length = length;
      this.element = element;
    }

    @Override
    public void write(List<Object> values, WireWriter out) {
      Formats.putCount(out, length, values.size());
      values.forEach(value -> element.write(value, out));
    }

    @Override
    public List<Object> read(ByteBuffer in) {
      int count = Formats.count(in, length, 1);
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add(element.read(in));
      }
      return values;
    }
  }
}
