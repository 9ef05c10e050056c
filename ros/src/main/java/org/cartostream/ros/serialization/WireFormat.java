package org.cartostream.ros.serialization;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.serialization.MessageDefinition.Field;

/**
 * A value's format on the wire of ROS 1 (wiki.ros.org/msg): numbers little-endian; strings, arrays
 * of any length with their length in four bytes before them; messages field by field.
 *
 * @param <T> the value's Java type
 */
interface WireFormat<T> {

  void write(T value, WireWriter out);

  /**
   * @throws BufferUnderflowException if the bytes end before the value does
   */
  T read(ByteBuffer in);

  /** A message, field by field. */
  final class OfRecord<M extends Record> implements WireFormat<M> {

    private final RecordMapping<M> mapping;
    private final Map<RecordMapping.MappedField, WireFormat<Object>> formats = new HashMap<>();

    OfRecord(RecordMapping<M> mapping) {
      this.mapping = mapping;
      mapping
          .fields()
          .forEach(mappedField -> formats.put(mappedField, FieldFormats.of(mappedField)));
    }

    @Override
    public void write(M value, WireWriter out) {
      mapping
          .fields()
          .forEach(
              mappedField ->
                  formats.get(mappedField).write(RecordMapping.value(value, mappedField), out));
    }

    @Override
    public M read(ByteBuffer in) {
      return mapping.build(mappedField -> formats.get(mappedField).read(in));
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
      byte[] bytes = new byte[FieldFormats.count(in, Field.ANY, 1)];
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
      FieldFormats.putCount(out, length, values.size());
      values.forEach(value -> element.write(value, out));
    }

    @Override
    public List<Object> read(ByteBuffer in) {
      int count = FieldFormats.count(in, length, 1);
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add(element.read(in));
      }
      return values;
    }
  }
}
