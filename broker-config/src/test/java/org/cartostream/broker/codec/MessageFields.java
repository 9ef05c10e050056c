package org.cartostream.broker.codec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The fields of all records in a message. */
final class MessageFields {

  private MessageFields() {}

  /** Of all records that a type may contain, by names such as {@code EndMessage.readings}. */
  static Map<String, ValueFormat> of(Type type) {
    Map<String, ValueFormat> fields = new TreeMap<>();
    collect(type, fields);
    return fields;
  }

  private static void collect(Type type, Map<String, ValueFormat> fields) {
    if (type instanceof ParameterizedType its) {
      List.of(its.getActualTypeArguments()).forEach(each -> collect(each, fields));
    } else if (type instanceof Class<?> its && its.isSealed()) {
      List.of(its.getPermittedSubclasses()).forEach(each -> collect(each, fields));
    } else if (type instanceof Class<?> its && its.isRecord()) {
      for (RecordComponent each : its.getRecordComponents()) {
        fields.put(name(each), ValueFormat.of(each.getGenericType()));
        collect(each.getGenericType(), fields);
      }
    }
  }

  private static String name(RecordComponent component) {
    return component.getDeclaringRecord().getSimpleName() + "." + component.getName();
  }

  /** Those that are written of an object, and of all that it contains. */
  static Set<String> writtenOf(Object object) {
    Set<String> written = new HashSet<>();
    collectWritten(object, written);
    return written;
  }

  private static void collectWritten(Object object, Set<String> written) {
    if (object instanceof Collection<?> all) {
      all.forEach(each -> collectWritten(each, written));
    } else if (object instanceof Record) {
      for (RecordComponent each : object.getClass().getRecordComponents()) {
        Object value = value(each, object);
        if (!Objects.equals(value, ValueFormat.of(each.getGenericType()).absent())) {
          written.add(name(each));
          collectWritten(value, written);
        }
      }
    }
  }

  private static Object value(RecordComponent component, Object of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError(e);
    }
  }
}
