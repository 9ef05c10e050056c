package org.cartostream.web.playback;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.file.FileFormatException;

/**
 * Labels that people have put at moments of a run, in a file beside the recording. Owns the file
 * while the run is viewed; thread-safe.
 */
public final class Labels {

  /** Name of the file. */
  public static final String FILE = "labels.json";

  static final int MAX = 1_000;
  static final int MAX_LETTERS = 200;

  /** Maximum size of the file, which is more than the maximum number of labels takes. */
  private static final long MAX_BYTES = 8L * MAX * MAX_LETTERS;

  private static final String LEFT = "; it stays as it is: mend it, or move it away for a new one";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Label of a moment.
   *
   * @param seconds time since the run's first reading
   */
  record Label(double seconds, String text) {}

  private final Path file;
  private List<Label> all;

  private Labels(Path file, List<Label> all) {
    this.file = file;
    this.all = all;
  }

  /**
   * Reads the labels of a run; none if nobody has written any.
   *
   * @param folder folder of the run
   * @throws IOException if the file is not as {@link #set} writes it; the message is one sentence
   */
  public static Labels of(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return new Labels(file, List.of());
    }
    RegularFile.requireSmall(file, "file of labels", MAX_BYTES, FileFormatException::new);
    try {
      List<Label> read = JSON.readValue(file.toFile(), new TypeReference<List<Label>>() {});
      if (read == null) {
        throw new IllegalArgumentException("there is no list");
      }
      for (Label each : read) {
        check(each);
      }
      requireAtMost(read.size());
      return new Labels(file, List.copyOf(read));
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      boolean isJson = e instanceof JsonMappingException;
      throw noLabels(
          file, "line " + line + (isJson ? " has something else" : " is no JSON") + LEFT, e);
    } catch (IllegalArgumentException e) {
      throw noLabels(file, e.getMessage() + LEFT, e);
    }
  }

  private static IOException noLabels(Path file, String why, Exception e) {
    return new IOException(
        "%s has no labels as [{\"seconds\": 12.5, \"text\": \"door\"}]: %s".formatted(file, why),
        e);
  }

  private static void requireAtMost(int labels) {
    if (labels > MAX) {
      throw new IllegalArgumentException("there are %d labels, and no more fit".formatted(MAX));
    }
  }

  private static void check(Label label) {
    if (label == null) {
      throw new IllegalArgumentException("a label is an object, not null");
    }
    if (!(label.seconds >= 0) || Double.isInfinite(label.seconds)) {
      throw new IllegalArgumentException(
          "a label's seconds are 0 or more since the first reading, not " + label.seconds);
    }
    if (label.text == null || label.text.length() > MAX_LETTERS) {
      throw new IllegalArgumentException(
          "a label has a text of %d letters at most".formatted(MAX_LETTERS));
    }
  }

  /** Returns the labels in the order of time. */
  synchronized List<Label> all() {
    return all;
  }

  /**
   * Writes a label at a moment, in place of one that is there; a label without text only removes.
   *
   * @throws IllegalArgumentException if the label is invalid or there are too many; the message is
   *     one sentence
   */
  synchronized void set(Label label) throws IOException {
    check(label);
    List<Label> changed = new ArrayList<>(all);
    changed.removeIf(each -> each.seconds == label.seconds);
    if (!label.text.isBlank()) {
      changed.add(new Label(label.seconds, label.text.strip()));
    }
    requireAtMost(changed.size());
    changed.sort(Comparator.comparingDouble(Label::seconds));
    AtomicFile.write(file, out -> out.write(JSON.writeValueAsBytes(changed)));
    all = List.copyOf(changed);
  }
}
