package org.cartostream.ros.serialization;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.cartostream.ros.RosException;
import org.cartostream.ros.serialization.MessageDefinition.Field;

/**
 * The mapping of a message's fields to the components of the record that mirrors it, for every
 * format.
 *
 * @param <M> the record
 */
final class RecordMapping<M extends Record> {

  /**
   * A field and its component.
   *
   * @param nested mapping of the field's message type, or of its array's; null for built-in types
   */
  record MappedField(Field field, RecordComponent component, RecordMapping<?> nested) {

    boolean isSingle() {
      return field.length() == Field.SINGLE;
    }
  }

  private final String name;
  private final List<MappedField> mappedFields = new ArrayList<>();
  private final Constructor<M> constructor;

  private RecordMapping(MessageDefinition definition, Class<M> mirror) {
    name = definition.name();
    RecordComponent[] components = mirror.getRecordComponents();
    List<String> expected =
        definition.fields().stream().map(field -> camelCase(field.name())).toList();
    List<String> actual = Arrays.stream(components).map(RecordComponent::getName).toList();
    if (!actual.equals(expected)) {
      throw new IllegalArgumentException(
          mirror + " has " + actual + "; " + definition.name() + " has " + expected);
    }
    for (int i = 0; i < components.length; i++) {
      mappedFields.add(mappedField(definition.fields().get(i), components[i]));
    }
    try {
      constructor =
          mirror.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record has a canonical constructor: " + mirror, e);
    }
  }

  /**
   * @throws IllegalArgumentException if the record is not the definition's mirror
   */
  static <M extends Record> RecordMapping<M> of(MessageDefinition definition, Class<M> mirror) {
    return new RecordMapping<>(definition, mirror);
  }

  private static MappedField mappedField(Field field, RecordComponent component) {
    if (field.isBuiltIn()) {
      return new MappedField(field, component, null);
    }
    Class<?> mirror = component.getType();
    if (field.length() != Field.SINGLE) {
      if (mirror != List.class) {
        throw unfit(field, component, "List");
      }
      mirror =
          (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    }
    if (!mirror.isRecord()) {
      throw unfit(field, component, "a record");
    }
    MessageDefinition definition = MessageDefinition.named(field.type());
    return new MappedField(field, component, of(definition, mirror.asSubclass(Record.class)));
  }

  static IllegalArgumentException unfit(Field field, RecordComponent component, String needed) {
    return new IllegalArgumentException(
        component + " cannot take a " + field.written() + "; it must be " + needed);
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

  /** Returns the name with its package: {@code std_msgs/Header}. */
  String name() {
    return name;
  }

  /** Returns the fields in the order of the definition. */
  List<MappedField> fields() {
    return mappedFields;
  }

  /**
   * Creates the record from the value that {@code values} returns for each field, called in order.
   *
   * @throws RosException if the record refuses the values
   */
  M build(Function<MappedField, Object> values) {
    Object[] arguments = mappedFields.stream().map(values).toArray();
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw new RosException("the message makes no sense: " + e.getCause().getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot build " + constructor, e);
    }
  }

  /** Returns the value of a field in a message. */
  static Object value(Record message, MappedField mappedField) {
    try {
      return mappedField.component().getAccessor().invoke(message);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + message.getClass(), e);
    }
  }
}
