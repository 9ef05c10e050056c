package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Kryo serializer of an object as its fields, those of superclasses first, in the order of their
 * numbers in {@link StateTypes}. Fields are set by reflection, which checks the value's class:
 * untrusted bytes may refer to an object of another class.
 */
final class FieldsSerializer extends Serializer<Object> {

  private static final String RESOLVE = "readResolve";

  /** Key in Kryo's context of the contents beside the state that is read or written. */
  static final String CONTENTS = "contents";

  private final StateTypes types;
  private final Field[] fields;

  /** Memory of an object without the objects that it refers to, bytes. */
  private final int bytes;

  /**
   * Serializers of the fields whose declared class is final; other fields' values are written with
   * their class.
   */
  private final Serializer<?>[] serializers;

  /** Canonical constructor if the class is a record; else null. */
  private final Constructor<?> constructor;

  /** Index of each field among the components, if the class is a record; else null. */
  private final int[] components;

  private final Method resolver;
  private final Method contentReader;

  FieldsSerializer(StateTypes types, Class<?> type) {
    this.types = types;
    List<Field> all = new ArrayList<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      all.addAll(0, numbered(each));
    }
    fields = all.toArray(Field[]::new);
    bytes =
        all.stream().mapToInt(field -> StateClassResolver.bytes(field.getType())).sum()
            + StateInput.OBJECT_BYTES;
    serializers = new Serializer<?>[fields.length];
    resolver = method(type, RESOLVE);
    contentReader = method(type, StateCodec.Content.READ);
    constructor = type.isRecord() ? constructor(type) : null;
    components = type.isRecord() ? components(type) : null;
  }

  private List<Field> numbered(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .filter(StateTypes::isStored)
        .peek(field -> field.setAccessible(true))
        .sorted(Comparator.comparingInt(field -> types.member(type, field.getName())))
        .toList();
  }

  private static Constructor<?> constructor(Class<?> type) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Stream.of(type.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("each record has its canonical constructor", e);
    }
  }

  private int[] components(Class<?> type) {
    List<String> names =
        Stream.of(type.getRecordComponents()).map(RecordComponent::getName).toList();
    return Arrays.stream(fields).mapToInt(field -> names.indexOf(field.getName())).toArray();
  }

  /** Returns the shape that {@link StateClassResolver} describes. */
  int[] shape(ToIntFunction<Class<?>> kind) {
    List<Integer> shape = new ArrayList<>();
    for (int i = 0; i < fields.length; ) {
      Class<?> owner = fields[i].getDeclaringClass();
      shape.add(types.number(owner));
      int count = shape.size();
      shape.add(0);
      for (; i < fields.length && fields[i].getDeclaringClass() == owner; i++) {
        shape.add(types.member(owner, fields[i].getName()));
        shape.add(kind.applyAsInt(fields[i].getType()));
        shape.set(count, shape.get(count) + 1);
      }
    }
    return shape.stream().mapToInt(each -> each).toArray();
  }

  @Override
  @SuppressWarnings("unchecked")
  public void write(Kryo kryo, Output output, Object object) {
    StateClassResolver.checkDepth(kryo);
    try {
      for (int i = 0; i < fields.length; i++) {
        Class<?> type = fields[i].getType();
        if (type.isPrimitive()) {
          writePrimitive(output, fields[i], object);
        } else if (StateClassResolver.isKnown(type)) {
          kryo.writeObjectOrNull(output, fields[i].get(object), serializer(kryo, i));
        } else {
          kryo.writeClassAndObject(output, fields[i].get(object));
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(object.getClass().getName() + " cannot be written", e);
    }
    if (contentReader != null) {
      // Contents are numbered in the order of writing, which is the order of reading.
      List<StateCodec.Content> contents =
          (List<StateCodec.Content>) kryo.getContext().get(CONTENTS);
      output.writeVarInt(contents.size(), true);
      contents.add(new StateCodec.Content(object));
    }
  }

  private Serializer<?> serializer(Kryo kryo, int field) {
    if (serializers[field] == null) {
      serializers[field] = kryo.getSerializer(fields[field].getType());
    }
    return serializers[field];
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<?> type) {
    StateClassResolver.checkDepth(kryo);
    ((StateInput) input).takeMemory(bytes);
    try {
      return constructor == null ? readObject(kryo, input, type) : readRecord(kryo, input);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be read", e);
    }
  }

  private Object readRecord(Kryo kryo, Input input) throws ReflectiveOperationException {
    Object[] values = new Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      values[components[i]] = value(kryo, input, i);
    }
    return constructor.newInstance(values);
  }

  private Object readObject(Kryo kryo, Input input, Class<?> type)
      throws ReflectiveOperationException {
    Object object = kryo.newInstance(type);
    kryo.reference(object);
    for (int i = 0; i < fields.length; i++) {
      fields[i].set(object, value(kryo, input, i));
    }
    if (contentReader != null) {
      var contents = (StateCodec.ContentReader) kryo.getContext().get(CONTENTS);
      try {
        call(contentReader, object, contents.read(((StateInput) input).nextContent()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (resolver != null) {
      call(resolver, object);
    }
    return object;
  }

  private Object value(Kryo kryo, Input input, int field) {
    Class<?> type = fields[field].getType();
    if (type.isPrimitive()) {
      return readPrimitive(input, type);
    }
    return StateClassResolver.isKnown(type)
        ? kryo.readObjectOrNull(input, type, serializer(kryo, field))
        : kryo.readClassAndObject(input);
  }

  private static void writePrimitive(Output output, Field field, Object object)
      throws IllegalAccessException {
    switch (field.getType().descriptorString()) {
      case "Z" -> output.writeBoolean(field.getBoolean(object));
      case "B" -> output.writeByte(field.getByte(object));
      case "C" -> output.writeChar(field.getChar(object));
      case "S" -> output.writeShort(field.getShort(object));
      case "I" -> output.writeVarInt(field.getInt(object), false);
      case "J" -> output.writeVarLong(field.getLong(object), false);
      case "F" -> output.writeFloat(field.getFloat(object));
      default -> output.writeDouble(field.getDouble(object));
    }
  }

  private static Object readPrimitive(Input input, Class<?> type) {
    return switch (type.descriptorString()) {
      case "Z" -> input.readBoolean();
      case "B" -> input.readByte();
      case "C" -> input.readChar();
      case "S" -> input.readShort();
      case "I" -> input.readVarInt(false);
      case "J" -> input.readVarLong(false);
      case "F" -> input.readFloat();
      default -> input.readDouble();
    };
  }

  /** Returns the method that a class itself declares under a name; null if it declares none. */
  static Method method(Class<?> type, String name) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals(name)) {
        method.setAccessible(true);
        return method;
      }
    }
    return null;
  }

  static Object call(Method method, Object of, Object... arguments) {
    try {
      return method.invoke(of, arguments);
    } catch (ReflectiveOperationException e) {
      String name = of.getClass().getName() + "." + method.getName();
      throw new IllegalStateException(name + " cannot be called", e);
    }
  }
}
