package org.cartostream.topology;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Compares two graphs of objects field by field, also the private and the transient ones: numbers
 * to the last bit, and where one object is in two places of the one graph, so it must be in the
 * other.
 *
 * <p>Owns the pairs that were met, those that are still to be compared, and the paths to what
 * differs.
 */
final class StateDifferences {

  private static final int MAX_DIFFERENCES = 20;

  private record Pair(String path, Object one, Object other) {}

  private final Predicate<Field> ignored;
  private final Deque<Pair> open = new ArrayDeque<>();
  private final Map<Object, Object> met = new IdentityHashMap<>();
  private final Map<Object, Object> metOther = new IdentityHashMap<>();
  private final List<String> differences = new ArrayList<>();
  private final Set<Class<?>> compared = new HashSet<>();

  /**
   * @param ignored fields that may differ
   */
  StateDifferences(Predicate<Field> ignored) {
    this.ignored = ignored;
  }

  /** Paths to what differs, with both values; empty if all is the same. The first are enough. */
  List<String> between(Object one, Object other) {
    open.add(new Pair(one.getClass().getSimpleName(), one, other));
    while (!open.isEmpty() && differences.size() < MAX_DIFFERENCES) {
      compare(open.removeFirst());
    }
    return List.copyOf(differences);
  }

  /** The classes whose fields were compared. */
  Set<Class<?>> compared() {
    return Set.copyOf(compared);
  }

  private void compare(Pair pair) {
    Object one = pair.one();
    Object other = pair.other();
    if (one == null || other == null || one.getClass() != other.getClass()) {
      requireEqual(pair, one, other);
    } else if (isValue(one)) {
      requireEqual(pair, one, other);
    } else if (isMetFirst(pair)) {
      compareContents(pair);
    }
  }

  private static boolean isValue(Object object) {
    return object instanceof Number
        || object instanceof BitSet
        || object instanceof String
        || object instanceof Boolean
        || object instanceof Character
        || object instanceof Enum<?>
        || object instanceof Class<?>;
  }

  private void requireEqual(Pair pair, Object one, Object other) {
    if (!Objects.equals(one, other)) {
      differences.add(pair.path() + ": " + one + " and " + other);
    }
  }

  private boolean isMetFirst(Pair pair) {
    Object before = met.putIfAbsent(pair.one(), pair.other());
    Object beforeOther = metOther.putIfAbsent(pair.other(), pair.one());
    if (before == null && beforeOther == null) {
      return true;
    }
    if (before != pair.other() || beforeOther != pair.one()) {
      differences.add(pair.path() + ": is shared in one of both only");
    }
    return false;
  }

  private void compareContents(Pair pair) {
    Object one = pair.one();
    Object other = pair.other();
    if (one.getClass().isArray()) {
      compareArrays(pair);
    } else if (one instanceof Map<?, ?> map) {
      compareMaps(pair.path(), map, (Map<?, ?>) other);
    } else if (one instanceof Collection<?> collection) {
      compareInOrder(pair.path(), collection, (Collection<?>) other);
    } else if (one instanceof Optional<?> optional) {
      add(pair.path(), optional.orElse(null), ((Optional<?>) other).orElse(null));
    } else if (one.getClass().getName().startsWith("org.cartostream.")) {
      compareFields(pair);
    } else if (one.getClass() != Object.class) {
      throw new IllegalStateException(pair.path() + ": cannot compare a " + one.getClass());
    }
  }

  private void add(String path, Object one, Object other) {
    open.add(new Pair(path, one, other));
  }

  private void compareArrays(Pair pair) {
    int length = Array.getLength(pair.one());
    if (length != Array.getLength(pair.other())) {
      requireEqual(pair, length, Array.getLength(pair.other()));
      return;
    }
    for (int i = 0; i < length; i++) {
      Object one = Array.get(pair.one(), i);
      Object other = Array.get(pair.other(), i);
      if (pair.one().getClass().getComponentType().isPrimitive()) {
        if (!one.equals(other)) {
          differences.add(pair.path() + "[" + i + "]: " + one + " and " + other);
        }
      } else {
        add(pair.path() + "[" + i + "]", one, other);
      }
    }
  }

  private void compareMaps(String path, Map<?, ?> one, Map<?, ?> other) {
    if (one.size() != other.size()) {
      differences.add(path + ": keys " + one.keySet() + " and " + other.keySet());
    } else if (one instanceof SortedMap || one instanceof LinkedHashMap) {
      compareInOrder(path + ".keys", one.keySet(), other.keySet());
      compareInOrder(path + ".values", one.values(), other.values());
    } else {
      one.forEach((key, value) -> add(path + "[" + key + "]", value, other.get(key)));
    }
  }

  private void compareInOrder(String path, Collection<?> one, Collection<?> other) {
    if (one.size() != other.size()) {
      differences.add(path + ": " + one.size() + " and " + other.size() + " elements");
      return;
    }
    Iterator<?> others = other.iterator();
    int i = 0;
    for (Object each : one) {
      add(path + "[" + i++ + "]", each, others.next());
    }
  }

  private void compareFields(Pair pair) {
    compared.add(pair.one().getClass());
    for (Class<?> type = pair.one().getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !ignored.test(field)) {
          add(
              pair.path() + "." + field.getName(),
              value(field, pair.one()),
              value(field, pair.other()));
        }
      }
      if (type.isEnum() || type.isRecord()) {
        return;
      }
    }
  }

  private static Object value(Field field, Object of) {
    try {
      field.setAccessible(true);
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
