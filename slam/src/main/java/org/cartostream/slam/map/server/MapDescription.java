package org.cartostream.slam.map.server;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.settings.file.PrintableText;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * A map's YAML file, as {@code map_server} of ROS 1 and {@code nav2_map_server} read it. A key that
 * is left out or empty has nav2's default; image, resolution and origin have none.
 *
 * @param image the picture's file
 * @param mode how shades become cells, above all those between the thresholds
 * @param resolution metres per cell
 * @param origin pose of the grid's lower left corner in the {@code map} frame
 * @param negate true if dark cells are free, and light ones occupied
 * @param occupiedThreshold a cell darker than this share is occupied
 * @param freeThreshold a cell less dark than this share is free
 */
record MapDescription(
    Path image,
    Mode mode,
    double resolution,
    Pose origin,
    boolean negate,
    double occupiedThreshold,
    double freeThreshold) {

  /** Meaning of a picture's shades. */
  enum Mode {
    /** Occupied, free, and unknown between the thresholds. */
    TRINARY,
    /** Cells between the thresholds have a probability; transparent ones are unknown. */
    SCALE,
    /** The shade is the cell's value. */
    RAW
  }

  /**
   * Bounds of a cell's side, metres: a smaller cell is finer than any laser, a larger one wider
   * than a door.
   */
  static final double MIN_RESOLUTION = 0.001;

  static final double GREATEST_RESOLUTION = 1;

  private static final long MAX_BYTES = 1_000_000;

  /** Bound on the length of a path on Linux, bytes. */
  private static final int MAX_PATH_LENGTH = 4096;

  private static final String NEEDED = "image, resolution and origin are needed";

  static MapDescription read(Path file) throws IOException {
    Fields fields = new Fields(file, load(file));
    MapDescription description =
        new MapDescription(
            image(file, fields),
            mode(fields),
            fields.number("resolution", null, MIN_RESOLUTION, GREATEST_RESOLUTION, "m per cell"),
            origin(fields),
            negate(fields),
            fields.number("occupied_thresh", "0.65", 0, 1, "of black"),
            fields.number("free_thresh", "0.25", 0, 1, "of black"));
    if (description.freeThreshold > description.occupiedThreshold) {
      throw fields.wrong(
          "free_thresh",
          fields.text("free_thresh", "0.25"),
          "at most occupied_thresh, which is " + description.occupiedThreshold);
    }
    return description;
  }

  private static Map<?, ?> load(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileFormatException(
          file + " is a folder; a map's YAML file is needed, such as map.yaml");
    }
    RegularFile.requireSmall(file, "map's YAML file", MAX_BYTES, FileFormatException::new);
    if (Files.size(file) == 0) { // So are files of the system that are read without end.
      throw new FileFormatException(file + " is empty; " + NEEDED);
    }
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(0); // Lists within lists could grow without end.
    Yaml yaml =
        new Yaml(
            new SafeConstructor(options),
            new Representer(new DumperOptions()),
            new DumperOptions(),
            options,
            new TextResolver());
    try {
      // OpenCV writes a head line that is not valid YAML.
      String text = Files.readString(file).replaceFirst("^\ufeff?%YAML:", "#");
      if (yaml.load(text) instanceof Map<?, ?> keys) {
        return keys;
      }
    } catch (CharacterCodingException e) {
      throw new FileFormatException(
          file
              + " is no YAML: it is no text in UTF-8; a map's YAML file is needed, not its picture",
          e);
    } catch (MarkedYAMLException e) {
      throw new FileFormatException(
          "%s is no YAML: %s: %s".formatted(file, where(file, e.getProblemMark()), e.getProblem()),
          e);
    } catch (YAMLException e) {
      throw new FileFormatException(file + " is no YAML: " + PrintableText.of(e.getMessage()), e);
    }
    throw new FileFormatException(file + " has no keys and values; " + NEEDED);
  }

  /** Returns the number of a faulty line, from 1, and its text. */
  private static String where(Path file, Mark mark) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String line = mark.getLine() < lines.size() ? lines.get(mark.getLine()) : "";
    return "line %d, '%s'".formatted(mark.getLine() + 1, PrintableText.of(line.strip()));
  }

  private static Path image(Path file, Fields fields) throws FileFormatException {
    String name = fields.text("image", null);
    try {
      if (name.length() <= MAX_PATH_LENGTH) {
        return file.toAbsolutePath().resolveSibling(name);
      }
    } catch (InvalidPathException e) {
      // The value is no valid path.
    }
    throw fields.wrong(
        "image", name, "the picture's file, of at most " + MAX_PATH_LENGTH + " letters");
  }

  private static Mode mode(Fields fields) throws FileFormatException {
    String name = fields.text("mode", "trinary");
    for (Mode mode : Mode.values()) {
      if (mode.name().equalsIgnoreCase(name)) {
        return mode;
      }
    }
    throw fields.wrong("mode", name, "trinary, scale or raw");
  }

  private static boolean negate(Fields fields) throws FileFormatException {
    String name = fields.text("negate", "0");
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "0", "false", "no", "off" -> false;
      case "1", "true", "yes", "on" -> true;
      default -> throw fields.wrong("negate", name, "0 or 1");
    };
  }

  private static Pose origin(Fields fields) throws FileFormatException {
    String right = "three finite numbers: x and y in metres, the turn in radians";
    Object value = fields.value("origin", null);
    if (!(value instanceof List<?> list) || list.size() != 3) {
      throw fields.wrong("origin", String.valueOf(value), right);
    }
    double[] numbers = new double[3];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Fields.parse(String.valueOf(list.get(i)));
      if (!Double.isFinite(numbers[i])) {
        throw fields.wrong("origin", String.valueOf(value), right);
      }
    }
    return new Pose(numbers[0], numbers[1], Pose.wrap(numbers[2]));
  }

  /** Resolver that leaves every value as the file's text, so that a message can quote it. */
  private static final class TextResolver extends Resolver {
    @Override
    protected void addImplicitResolvers() {}
  }

  /** The keys of one file. */
  private record Fields(Path file, Map<?, ?> values) {

    Object value(String key, String otherwise) throws FileFormatException {
      Object value = values.get(key);
      if (value == null || value.equals("")) { // map_server takes an empty one for none.
        value = otherwise;
      }
      if (value == null) {
        throw new FileFormatException(file + " has no " + key + "; " + NEEDED);
      }
      return value;
    }

    String text(String key, String otherwise) throws FileFormatException {
      if (value(key, otherwise) instanceof String text) {
        return text.strip();
      }
      throw wrong(key, String.valueOf(values.get(key)), "a single value");
    }

    double number(String key, String otherwise, double min, double max, String unit)
        throws FileFormatException {
      String text = text(key, otherwise);
      double number = parse(text);
      if (!(number >= min && number <= max)) {
        throw wrong(
            key, text, String.format(Locale.ROOT, "a number from %s to %s %s", min, max, unit));
      }
      return number;
    }

    static double parse(String text) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        return Double.NaN;
      }
    }

    FileFormatException wrong(String key, String value, String right) {
      return new FileFormatException(
          "%s%s: %s is '%s'; it must be %s"
              .formatted(file, line(key), key, PrintableText.of(value), right));
    }

    /** Returns the line in which a key stands; empty if no line begins with it. */
    private String line(String key) {
      try {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
          if (lines.get(i).startsWith(key + ":")) {
            return ", line " + (i + 1);
          }
        }
      } catch (IOException e) {
        // The message will name the key without its line.
      }
      return "";
    }
  }
}
