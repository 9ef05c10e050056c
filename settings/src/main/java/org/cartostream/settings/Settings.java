package org.cartostream.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Factory of settings records, from their {@link Setting} annotations and a map of overrides.
 *
 * <p>A settings record's components are {@code int}, {@code long}, {@code double}, {@code boolean},
 * {@code String}, an enum, or another settings record, whose keys are prefixed by the component's
 * name and a dot.
 */
public final class Settings {

  private static final String VARIABLES = "CARTOSTREAM_";
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

  private Settings() {}

  /** A setting's key, such as {@code slam.particles}, with its type and its annotation. */
  public record Key(String name, Class<?> type, Setting setting) {}

  /** Returns a settings record with every default. */
  public static <R extends Record> R defaults(Class<R> type) {
    return build(type, Map.of());
  }

  /**
   * Returns a settings record with the defaults, except where {@code overrides} says otherwise.
   *
   * @throws IllegalArgumentException if a key is unknown or a value is not of the key's type or
   *     outside its bounds; the message names both and what would have been right
   */
  public static <R extends Record> R build(Class<R> type, Map<String, String> overrides) {
    Map<String, String> open = new LinkedHashMap<>(overrides);
    R settings = build(type, "", open);
    if (!open.isEmpty()) {
      String unknown = open.keySet().iterator().next();
      throw new IllegalArgumentException(
          "unknown key '" + unknown + "'; did you mean '" + nearest(unknown, names(type)) + "'?");
    }
    return settings;
  }

  /**
   * Returns a copy of settings, except where {@code changes} says otherwise.
   *
   * @throws IllegalArgumentException as {@link #build} does
   */
  @SuppressWarnings("unchecked") // A record's class is final.
  public static <R extends Record> R with(R settings, Map<String, String> changes) {
    Map<String, String> values = values(settings);
    values.putAll(changes);
    return build((Class<R>) settings.getClass(), values);
  }

  /**
   * Returns all keys of a settings record and its nested ones, in the order of their declaration.
   */
  public static List<Key> keys(Class<? extends Record> type) {
    List<Key> keys = new ArrayList<>();
    collect(type, "", keys);
    return keys;
  }

  /**
   * Returns the environment variable of a key: {@code …_SLAM_MATCHER_STEP_METRES} for {@code
   * slam.matcher.stepMetres}.
   */
  static String variable(String key) {
    String words = key.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replace('.', '_');
    return VARIABLES + words.toUpperCase(Locale.ROOT);
  }

  /**
   * Returns the settings that environment variables give, by key; see {@link #variable}.
   *
   * @param others environment variables that begin like settings but are none
   * @throws IllegalArgumentException if a variable begins with the name of a section, but names no
   *     setting of the section
   */
  public static Map<String, String> fromEnvironment(
      Class<? extends Record> type, Map<String, String> environment, Set<String> others) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys(type).forEach(key -> keys.put(variable(key.name()), key.name()));
    Map<String, String> values = new TreeMap<>();
    environment.forEach(
        (variable, value) -> {
          if (keys.containsKey(variable)) {
            values.put(keys.get(variable), value);
          } else if (!others.contains(variable)
              && Arrays.stream(type.getRecordComponents())
                  .anyMatch(part -> variable.startsWith(variable(part.getName()) + "_"))) {
            throw new IllegalArgumentException(
                "the environment's %s is no setting; did you mean %s?"
                    .formatted(variable, nearest(variable, keys.keySet())));
          }
        });
    return values;
  }

  /** Returns the values of a settings record by key, as text that {@link #build} reads back. */
  public static Map<String, String> values(Record settings) {
    Map<String, String> values = new LinkedHashMap<>();
    read(settings, "", values);
    return values;
  }

  private static void collect(Class<?> type, String prefix, List<Key> keys) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + component.getName();
      if (component.getType().isRecord()) {
        collect(component.getType(), name + ".", keys);
      } else {
        keys.add(new Key(name, component.getType(), annotation(type, component)));
      }
    }
  }

  private static void read(Record settings, String prefix, Map<String, String> values) {
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      Object value;
      try {
        value = component.getAccessor().invoke(settings);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot read " + component, e);
      }
      if (value instanceof Record nested) {
        read(nested, prefix + component.getName() + ".", values);
      } else {
        values.put(prefix + component.getName(), String.valueOf(value));
      }
    }
  }

  private static <R> R build(Class<R> type, String prefix, Map<String, String> overrides) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      String name = prefix + component.getName();
      if (component.getType().isRecord()) {
        arguments[i] = build(component.getType(), name + ".", overrides);
      } else {
        Setting setting = annotation(type, component);
        String text = overrides.remove(name);
        arguments[i] = parse(name, component.getType(), setting, text);
      }
    }
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        throw wrong;
      }
      throw new IllegalStateException("cannot build " + type, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot build " + type, e);
    }
  }

  private static Setting annotation(Class<?> type, RecordComponent component) {
    Setting setting = component.getAnnotation(Setting.class);
    if (setting == null) {
      throw new IllegalStateException(type + ": " + component.getName() + " lacks @Setting");
    }
    return setting;
  }

  private static Object parse(String name, Class<?> type, Setting setting, String given) {
    String text = given == null ? setting.value() : given.trim();
    if (type == int.class || type == long.class || type == double.class) {
      Number value = number(name, type, setting, text);
      check(name, setting, value.doubleValue(), text);
      return value;
    }
    if (type == boolean.class) {
      if (!text.equals("true") && !text.equals("false")) {
        throw new IllegalArgumentException(name + ": '" + text + "' is not true or false");
      }
      return text.equals("true");
    }
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (constant.toString().equalsIgnoreCase(text)) {
          return constant;
        }
      }
      throw new IllegalArgumentException(
          name + ": '" + text + "' is none of " + Arrays.toString(type.getEnumConstants()));
    }
    if (type == String.class) {
      return text;
    }
    throw new IllegalStateException(name + ": settings cannot hold a " + type);
  }

  private static Number number(String name, Class<?> type, Setting setting, String text) {
    try {
      if (type == int.class) {
        return Integer.valueOf(text);
      }
      return type == long.class ? (Number) Long.valueOf(text) : Double.valueOf(text);
    } catch (NumberFormatException e) {
      if (WHOLE_NUMBER.matcher(text).matches()) {
        throw new IllegalArgumentException(
            name + ": " + text + " is out of bounds; it must be " + range(type, setting));
      }
      throw new IllegalArgumentException(
          name + ": '" + text + "' is not a " + (type == double.class ? "number" : "whole number"));
    }
  }

  private static void check(String name, Setting setting, double value, String text) {
    if (!(value >= setting.min() && value <= setting.max())) {
      throw new IllegalArgumentException(
          name + ": " + text + " is out of bounds; it must be " + bounds(setting));
    }
  }

  private static String bounds(Setting setting) {
    String unit = setting.unit().isEmpty() ? "" : " " + setting.unit();
    boolean above = setting.min() != Double.NEGATIVE_INFINITY;
    boolean below = setting.max() != Double.POSITIVE_INFINITY;
    if (above && below) {
      return "from " + plain(setting.min()) + " to " + plain(setting.max()) + unit;
    }
    return above
        ? "at least " + plain(setting.min()) + unit
        : below ? "at most " + plain(setting.max()) + unit : "a number";
  }

  /**
   * Returns the bounds of a whole number in words: the setting's, or those of the number's type.
   */
  private static String range(Class<?> type, Setting setting) {
    long min = type == int.class ? Integer.MIN_VALUE : Long.MIN_VALUE;
    long max = type == int.class ? Integer.MAX_VALUE : Long.MAX_VALUE;
    // A missing bound is infinite, and the cast makes it the smallest or the largest long.
    return "from "
        + Math.max(min, (long) setting.min())
        + " to "
        + Math.min(max, (long) setting.max());
  }

  /** Formats a number; a whole number gets no decimals. */
  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static List<String> names(Class<? extends Record> type) {
    return keys(type).stream().map(Key::name).toList();
  }

  private static String nearest(String unknown, Collection<String> names) {
    return names.stream().min(Comparator.comparingInt(name -> distance(unknown, name))).orElse("");
  }

  /** Returns the Levenshtein distance of two words. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
