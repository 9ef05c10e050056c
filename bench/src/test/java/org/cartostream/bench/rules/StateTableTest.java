package org.cartostream.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * The table of the types that may be in a state has the fields that they have, and the types of
 * those fields, as far as these are declared.
 */
@Quick
class StateTableTest {

  /** First number of types of other jars, as tests have some. */
  private static final int OTHERS = 1000;

  /** Names of fields or constants, by the name of their type. */
  private static final Map<String, List<String>> TABLE = table();

  private final Set<Type> seen = new HashSet<>();
  private final List<String> missing = new ArrayList<>();

  private static Map<String, List<String>> table() {
    Map<String, List<String>> table = new TreeMap<>();
    StringBuilder tables = new StringBuilder();
    try {
      ClassLoader loader = StateCodec.class.getClassLoader();
      for (URL each : Collections.list(loader.getResources("org/cartostream/state-types"))) {
        try (InputStream in = each.openStream()) {
          tables.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
      tables
          .toString()
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> List.of(line.split(" ")))
          .filter(words -> Integer.parseInt(words.get(0)) < OTHERS)
          .forEach(
              words ->
                  table.put(
                      words.get(1),
                      words.stream()
                          .skip(2)
                          .map(word -> word.substring(word.indexOf(':') + 1))
                          .sorted()
                          .toList()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return table;
  }

  private static Class<?> classOf(String name) {
    try {
      return Class.forName(name, false, StateCodec.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name + " is in the table, and is no class", e);
    }
  }

  private static Stream<Field> stored(Class<?> type) {
    int without = Modifier.STATIC | Modifier.TRANSIENT;
    return Stream.of(type.getDeclaredFields())
        .filter(field -> (field.getModifiers() & without) == 0 && !field.isSynthetic());
  }

  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith(MainCode.ROOT);
  }

  @Test
  void aLineHasTheFieldsOfItsClass() {
    assertThat(TABLE).hasSizeGreaterThan(100);
    TABLE.forEach(
        (name, members) -> {
          Class<?> type = classOf(name);
          Stream<Field> fields =
              type.isEnum()
                  ? Stream.of(type.getDeclaredFields()).filter(Field::isEnumConstant)
                  : isOurs(type) ? stored(type) : Stream.empty();
          assertThat(members).as(name).isEqualTo(fields.map(Field::getName).sorted().toList());
        });
  }

  @Test
  void whatALineLeadsToHasALine() {
    TABLE.keySet().forEach(name -> walk(classOf(name), "the table"));
    assertThat(missing).isEmpty();
  }

  private void walk(Type type, String from) {
    if (!seen.add(type)) {
      return;
    }
    if (type instanceof ParameterizedType generic) {
      walk(generic.getRawType(), from);
      Stream.of(generic.getActualTypeArguments()).forEach(each -> walk(each, from));
    } else if (type instanceof WildcardType any) {
      Stream.of(any.getUpperBounds()).forEach(each -> walk(each, from));
    } else if (type instanceof GenericArrayType array) {
      walk(array.getGenericComponentType(), from);
    } else if (type instanceof Class<?> plain && plain.isArray()) {
      require(plain, from);
      walk(plain.getComponentType(), plain.getName());
    } else if (type instanceof Class<?> plain && isOurs(plain)) {
      walkClass(plain, from);
    }
  }

  private void walkClass(Class<?> type, String from) {
    if (Modifier.isAbstract(type.getModifiers()) && !type.isEnum()) {
      for (JavaClass each : MainCode.CLASSES) {
        boolean isMeasured = each.getPackageName().startsWith(MainCode.ROOT + ".bench.");
        if (!isMeasured
            && each.isAssignableTo(type.getName())
            && !each.getName().equals(type.getName())) {
          walk(classOf(each.getName()), type.getName());
        }
      }
    }
    if (!type.isInterface() && (!Modifier.isAbstract(type.getModifiers()) || isStored(type))) {
      require(type, from);
    }
    if (!type.isEnum() && !type.isInterface()) {
      walk(type.getSuperclass(), type.getName());
      stored(type).forEach(field -> walk(field.getGenericType(), field.toString()));
    }
  }

  private static boolean isStored(Class<?> type) {
    return stored(type).findAny().isPresent();
  }

  private void require(Class<?> type, String from) {
    if (!TABLE.containsKey(type.getName())) {
      missing.add(type.getName() + ", to which " + from + " leads");
    }
  }
}
