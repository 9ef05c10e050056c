package org.cartostream.ros.serialization;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parsed {@code .msg} text: a message's constants and fields, in order (wiki.ros.org/msg).
 *
 * @param name with its package: {@code sensor_msgs/LaserScan}
 * @param text the definition as it was written
 * @param constants each as {@code type name=value}
 * @param fields in the order in which they cross the wire
 */
record MessageDefinition(String name, String text, List<String> constants, List<Field> fields) {

  /**
   * A field.
   *
   * @param type a built-in type, or a message's name with its package
   * @param length the number of elements of an array; {@link #SINGLE} if it is none, {@link #ANY}
   *     if it is of any length
   */
  record Field(String type, int length, String name) {

    static final int SINGLE = -1;
    static final int ANY = -2;

    boolean isBuiltIn() {
      return type.indexOf('/') < 0;
    }

    /** Returns the type as in a definition, such as {@code float64[36]}. */
    String written() {
      return switch (length) {
        case SINGLE -> type;
        case ANY -> type + "[]";
        default -> type + "[" + length + "]";
      };
    }
  }

  private static final String FOLDER = "/org/cartostream/ros/message/";
  private static final String SEPARATOR = "=".repeat(80);

  /**
   * Reads the definition of a message from this program's resources.
   *
   * @throws IllegalArgumentException if there is no definition, or its text is invalid
   */
  static MessageDefinition named(String name) {
    return parse(name, resource(name + ".msg"));
  }

  /** Reads the text of a {@code .msg} or {@code .srv} resource. */
  static String resource(String file) {
    try (InputStream in = MessageDefinition.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no definition '" + file + "'");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the definition '" + file + "' cannot be read", e);
    }
  }

  static MessageDefinition parse(String name, String text) {
    String home = name.substring(0, name.indexOf('/'));
    List<String> constants = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (String line : text.split("\n")) {
      String words = line.replaceFirst("#.*", "").trim().replaceAll("\\s+", " ");
      int space = words.indexOf(' ');
      if (words.indexOf('=') > 0) {
        constants.add(words.replaceAll(" ?= ?", "="));
      } else if (space > 0) {
        fields.add(field(home, words.substring(0, space), words.substring(space + 1)));
      } else if (!words.isEmpty()) {
        throw new IllegalArgumentException(name + ": '" + line + "' is no field");
      }
    }
    return new MessageDefinition(name, text, List.copyOf(constants), List.copyOf(fields));
  }

  private static Field field(String home, String written, String name) {
    int bracket = written.indexOf('[');
    if (bracket < 0) {
      return new Field(type(home, written), Field.SINGLE, name);
    }
    String count = written.substring(bracket + 1, written.length() - 1);
    int length = count.isEmpty() ? Field.ANY : Integer.parseInt(count);
    return new Field(type(home, written.substring(0, bracket)), length, name);
  }

  /**
   * Returns a type with its package; a type without one is built-in, {@code Header}, or of the
   * package {@code home}.
   */
  private static String type(String home, String written) {
    if (written.equals("Header")) {
      return "std_msgs/Header";
    }
    boolean message = Character.isUpperCase(written.charAt(0));
    return message ? home + "/" + written : written;
  }

  /**
   * Returns the text whose MD5 sum distinguishes two versions of a message
   * (wiki.ros.org/ROS/Technical).
   */
  String md5Text() {
    List<String> lines = new ArrayList<>(constants);
    for (Field field : fields) {
      String type =
          field.isBuiltIn() ? field.written() : Md5.of(MessageDefinition.named(field.type()));
      lines.add(type + " " + field.name());
    }
    return String.join("\n", lines);
  }

  /**
   * Returns this text followed by the texts of all nested messages, as in a bag or a connection
   * header.
   */
  String fullText() {
    Map<String, MessageDefinition> within = new LinkedHashMap<>();
    collect(within);
    StringBuilder full = new StringBuilder(text);
    within.forEach((name, definition) -> append(full, name, definition.text()));
    return full.toString();
  }

  /** Returns the definition in the words of ROS 2. */
  String ros2Text() {
    Map<String, MessageDefinition> within = new LinkedHashMap<>();
    collect(within);
    StringBuilder full = new StringBuilder(Ros2Differences.text(this));
    within.forEach((name, definition) -> append(full, name, Ros2Differences.text(definition)));
    Ros2Differences.builtInTexts(full.toString())
        .forEach((name, ofType) -> append(full, name, ofType));
    return full.toString();
  }

  private static void append(StringBuilder full, String name, String text) {
    full.append(SEPARATOR).append("\nMSG: ").append(name).append('\n').append(text);
  }

  private void collect(Map<String, MessageDefinition> within) {
    for (Field field : fields) {
      if (!field.isBuiltIn() && !within.containsKey(field.type())) {
        MessageDefinition definition = named(field.type());
        within.put(field.type(), definition);
        definition.collect(within);
      }
    }
  }
}
