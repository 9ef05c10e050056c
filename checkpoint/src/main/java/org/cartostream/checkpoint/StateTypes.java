package org.cartostream.checkpoint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of the types that may be in a saved state: the number of each type, and the numbers of
 * its fields or, for an enum, of its constants. States contain numbers in place of names, so that
 * classes and fields can be renamed, and so that untrusted bytes cannot name an arbitrary class.
 *
 * <p>A line has the type's number, the class's name as {@link Class#getName} gives it, and {@code
 * NUMBER:NAME} for each member; {@code #} begins a comment. A number is never given to another
 * type, nor to another member of the same type, even when it is free again. All resources of the
 * name {@value #RESOURCE} are read, so that a jar can add types.
 */
final class StateTypes {

  static final String RESOURCE = "org/cartostream/state-types";

  /** First number for types of other jars. */
  private static final int OTHERS = 1000;

  /**
   * First number of the table; smaller numbers are Kryo's, for primitive types, their boxes, and
   * strings.
   */
  private static final int MIN = 10;

  private static final Pattern LINE = Pattern.compile("(\\d{1,9}) (\\S+)((?: \\d{1,9}:[\\w$]+)*)");

  private static StateTypes installed;

  private record Line(int number, String name, Map<String, Integer> members) {
    @Override
    public String toString() {
      return number + " " + name;
    }
  }

  private final ClassLoader loader;
  private final TreeMap<Integer, Line> byNumber = new TreeMap<>();
  private final Map<String, Line> byName = new HashMap<>();

  private StateTypes(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Returns the types in all tables on the class path.
   *
   * @throws IllegalStateException if a line is malformed or contradicts another line
   */
  static synchronized StateTypes installed() {
    if (installed == null) {
      ClassLoader loader = StateTypes.class.getClassLoader();
      List<String> lines = new ArrayList<>();
      try {
        for (URL each : Collections.list(loader.getResources(RESOURCE))) {
          try (BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(each.openStream(), StandardCharsets.UTF_8))) {
            in.lines().forEach(lines::add);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      installed = of(lines, loader);
    }
    return installed;
  }

  /**
   * Returns the types of a table's lines.
   *
   * @param loader loader of the types' classes
   */
  static StateTypes of(List<String> lines, ClassLoader loader) {
    StateTypes types = new StateTypes(loader);
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        types.add(line.strip());
      }
    }
    return types;
  }

  private void add(String text) {
    Matcher words = LINE.matcher(text);
    if (!words.matches() || Integer.parseInt(words.group(1)) < MIN) {
      throw new IllegalStateException(
          "'%s' in %s is none of its lines: '17 org.example.Pose 1:x 2:y' would be one, with a number from %d"
              .formatted(text, RESOURCE, MIN));
    }
    Map<String, Integer> members = new HashMap<>();
    for (String member : words.group(3).strip().split(" ")) {
      int colon = member.indexOf(':');
      if (colon > 0) {
        int number = Integer.parseInt(member.substring(0, colon));
        if (number < 1
            || members.containsValue(number)
            || members.put(member.substring(colon + 1), number) != null) {
          throw new IllegalStateException(
              "'%s' in %s: each number, from 1, and each name may be there once"
                  .formatted(text, RESOURCE));
        }
      }
    }
    Line line = new Line(Integer.parseInt(words.group(1)), words.group(2), members);
    Line sameNumber = byNumber.putIfAbsent(line.number, line);
    Line sameName = byName.putIfAbsent(line.name, line);
    // The same jar may be on the class path twice.
    if ((sameNumber != null && !sameNumber.equals(line))
        || (sameName != null && !sameName.equals(line))) {
      throw new IllegalStateException(
          "%s has '%s', and had %s before: each type has one number, and each number one type"
              .formatted(RESOURCE, text, sameNumber == null ? sameName : sameNumber));
    }
  }

  /**
   * Returns the number of a type.
   *
   * @throws IllegalArgumentException if the type has no number; the message has the line that adds
   *     it
   */
  int number(Class<?> type) {
    Line line = byName.get(type.getName());
    if (line == null) {
      throw new IllegalArgumentException(
          "%s cannot be part of a state: the line '%s' in %s would add it, if it is data"
              .formatted(type.getName(), proposed(type), RESOURCE));
    }
    return line.number;
  }

  private String proposed(Class<?> type) {
    boolean isOurs = type.getName().startsWith("org.cartostream.");
    Integer before = isOurs ? byNumber.lowerKey(OTHERS) : byNumber.lastKey();
    int next = Math.max(before == null ? MIN : before + 1, isOurs ? MIN : OTHERS);
    StringBuilder line = new StringBuilder(next + " " + type.getName());
    int member = 1;
    for (Field field : type.getDeclaredFields()) {
      if (type.isEnum() ? field.isEnumConstant() : isStored(field)) {
        line.append(" ").append(member++).append(":").append(field.getName());
      }
    }
    return line.toString();
  }

  /** Returns true if states contain the field. */
  static boolean isStored(Field field) {
    return (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0
        && !field.isSynthetic();
  }

  /**
   * Returns the number of a type's field, or of an enum's constant.
   *
   * @throws IllegalArgumentException if the member has no number; the message says what to add to
   *     the table
   */
  int member(Class<?> type, String name) {
    int number = number(type);
    Map<String, Integer> members = byNumber.get(number).members;
    Integer member = members.get(name);
    if (member == null) {
      int next = members.values().stream().mapToInt(each -> each).max().orElse(0) + 1;
      throw new IllegalArgumentException(
          "%s of %s cannot be part of a state: '%d:%s' in its line of %s, %d, would add it"
              .formatted(name, type.getName(), next, name, RESOURCE, number));
    }
    return member;
  }

  /**
   * Returns the type of a number.
   *
   * @throws StateRefusedException if the number has no type, or the type's class is missing
   */
  Class<?> type(int number) {
    Line line = byNumber.get(number);
    if (line == null) {
      throw new StateRefusedException("it has a type %d, which this version has not", number);
    }
    try {
      return Class.forName(line.name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new StateRefusedException(
          "its type %d is %s, which is not in this program", number, line.name);
    }
  }

  /** Returns the name of a member, for people. */
  String memberName(int type, int member) {
    Line line = byNumber.get(type);
    if (line != null) {
      for (Map.Entry<String, Integer> each : line.members.entrySet()) {
        if (each.getValue() == member) {
          return each.getKey();
        }
      }
    }
    return "field " + member;
  }

  /** Returns the name of a type, for people. */
  String name(int number) {
    Line line = byNumber.get(number);
    return line == null ? "type " + number : line.name;
  }
}
