package org.cartostream.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Reader of a YAML configuration file into flat keys: {@code slam:} with {@code particles: 30}
 * below it becomes {@code slam.particles} = {@code 30}.
 *
 * <p>Values stay the text that the file holds; {@link Settings} knows the types. A file may hold
 * only sections and single values, and no key twice. A file of ROS 2 parameters may also hold lists
 * of single values.
 */
public final class ConfigurationFile {

  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_KEY_LETTERS = 1_000;
  private static final int MAX_VALUE_LETTERS = 10_000;

  private final Path file;
  private final boolean takesLists;
  private final Map<String, String> values = new LinkedHashMap<>();

  private ConfigurationFile(Path file, boolean takesLists) {
    this.file = file;
    this.takesLists = takesLists;
  }

  /**
   * Reads a configuration file.
   *
   * @return the file's keys and values in their order
   * @throws IllegalArgumentException if the file is missing, is no YAML or has a key twice
   * @throws UncheckedIOException if the file cannot be read
   */
  public static Map<String, String> read(Path file) {
    return read(file, false);
  }

  /**
   * Reads a file of ROS 2 parameters, in which a list becomes text: {@code [1.0, 2.0]}. Fails as
   * {@link #read} does.
   */
  public static Map<String, String> readParameters(Path file) {
    return read(file, true);
  }

  private static Map<String, String> read(Path file, boolean takesLists) {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "'" + file + "' is a folder; a YAML file with settings is needed");
    }
    ConfigurationFile configuration = new ConfigurationFile(file, takesLists);
    requireSmall(file);
    try (JsonParser parser = new YAMLFactory().createParser(Files.readString(file))) {
      configuration.document(parser);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no configuration file '" + file + "'", e);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is no YAML: it is no text in UTF-8", e);
    } catch (JsonProcessingException e) {
      throw configuration.noYaml(e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the configuration file '" + file + "': " + e, e);
    }
    return configuration.values;
  }

  /**
   * Refuses large files, and devices and pipes: their length is given as 0, and they may have no
   * end.
   */
  private static void requireSmall(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "'%s' is no file of settings: it is no file but a pipe or a device".formatted(file));
    }
    if (file.toFile().length() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "%s is no file of settings: it has more than %d bytes".formatted(file, MAX_BYTES));
    }
  }

  private void document(JsonParser parser) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return; // An empty file, or nothing but comments: every default holds.
    }
    if (first != JsonToken.START_OBJECT) {
      throw wrong(parser.currentTokenLocation(), "a section such as 'slam:' must come first");
    }
    section(parser, "");
    if (parser.nextToken() != null) {
      throw wrong(parser.currentTokenLocation(), "a second document; there can be one only");
    }
  }

  private void section(JsonParser parser, String prefix) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = prefix + parser.currentName();
      JsonLocation place = parser.currentTokenLocation();
      if (key.length() > MAX_KEY_LETTERS) {
        throw wrong(
            place, "a key of %d letters; none has %d".formatted(key.length(), MAX_KEY_LETTERS));
      }
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT) {
        section(parser, key + ".");
      } else if (token == JsonToken.START_ARRAY && takesLists) {
        values.put(key, list(parser));
      } else if (token == JsonToken.START_ARRAY) {
        // Reads to the end of the list first: if the list is broken YAML, the parser's error is the
        // better one.
        parser.skipChildren();
        String right = prefix.isEmpty() ? "a section with keys of its own" : "a single value";
        throw wrong(place, "'" + key + "' is a list; it must be " + right);
      } else if (token == JsonToken.VALUE_NULL) {
        throw wrong(place, "'" + key + "' has no value; give it one, or leave the line out");
      } else if (parser.getTextLength() > MAX_VALUE_LETTERS) {
        throw wrong(
            place,
            "'%s' has a value of %d letters; none has %d"
                .formatted(key, parser.getTextLength(), MAX_VALUE_LETTERS));
      } else if (values.put(key, parser.getText()) != null) {
        throw wrong(place, "'" + key + "' stands there twice; keep one of them");
      }
    }
  }

  private static String list(JsonParser parser) throws IOException {
    StringJoiner text = new StringJoiner(", ", "[", "]");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      parser.skipChildren(); // Skips a nested list; does nothing at a single value.
      text.add(parser.getText());
    }
    return text.toString();
  }

  private IllegalArgumentException wrong(JsonLocation place, String sentence) {
    return new IllegalArgumentException(file + ", line " + place.getLineNr() + ": " + sentence);
  }

  /**
   * Returns an error with the line of the mistake; the parser's own location is before the mistake.
   */
  private IllegalArgumentException noYaml(JsonProcessingException e) {
    if (!(e.getCause() instanceof MarkedYAMLException mistake)) {
      return new IllegalArgumentException(file + " is no YAML: " + firstLine(e), e);
    }
    int line = mistake.getProblemMark().getLine() + 1;
    String sentence = file + ", line " + line + ": this is no YAML: " + mistake.getProblem();
    if (mistake.getContextMark() != null && mistake.getContextMark().getLine() + 1 != line) {
      int begun = mistake.getContextMark().getLine() + 1;
      sentence += ", " + mistake.getContext() + " that begins in line " + begun;
    }
    return new IllegalArgumentException(sentence, e);
  }

  private static String firstLine(JsonProcessingException e) {
    return String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("it cannot be parsed");
  }
}
