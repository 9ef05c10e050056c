package org.cartostream.web.playback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of labels may be a stranger's. */
@Quick
class LabelsTest {

  private static final String LABEL = "{\"seconds\": 1, \"text\": \"door\"}";

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve(Labels.FILE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "[null]",
        "[{\"seconds\": -1, \"text\": \"a\"}]",
        "[{\"seconds\": \"NaN\", \"text\": \"a\"}]",
        "[{\"seconds\": 1}]",
        "[{\"seconds\": 1, \"text\": \"a\", \"@class\": \"java.io.File\"}]",
        "[[\"java.io.File\", \"/tmp/x\"]]",
      })
  void whatIsNoLabelIsNamed(String text) throws Exception {
    Files.writeString(file(), text);
    assertThatThrownBy(() -> Labels.of(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file() + " has no labels as [{")
        .hasMessageContaining("it stays as it is")
        .message()
        .doesNotContain("java.", "fasterxml", "org.");
    assertThat(file()).hasContent(text);
  }

  @Test
  void whatIsNoLabelHasItsLine() throws Exception {
    Files.writeString(file(), "[" + LABEL + ",\n" + LABEL + ",\n{\"seconds\": \"soon\"}]");
    assertThatThrownBy(() -> Labels.of(folder)).hasMessageContaining("line 3 has something else");
    Files.writeString(file(), "[" + LABEL + ",\n" + LABEL);
    assertThatThrownBy(() -> Labels.of(folder)).hasMessageContaining("line 2 is no JSON");
  }

  @Test
  void sizeAndDepthAreBounded() throws Exception {
    for (String text :
        new String[] {
          "[".repeat(1_000_000),
          "[{\"seconds\": 1, \"text\": \"" + "x".repeat(100_000) + "\"}]",
          "[{\"" + "x".repeat(100_000) + "\": 1}]",
          "[" + (LABEL + ", ").repeat(Labels.MAX) + LABEL + "]",
          " ".repeat(2_000_000),
        }) {
      Files.writeString(file(), text);
      assertThatThrownBy(() -> Labels.of(folder))
          .isInstanceOf(IOException.class)
          .satisfies(e -> assertThat(e.getMessage()).contains("labels").hasSizeLessThan(1_000));
    }
  }

  @Test
  void aDeviceIsNotRead() throws Exception {
    Files.createSymbolicLink(file(), Path.of("/dev/zero"));
    assertThatThrownBy(() -> Labels.of(folder))
        .hasMessage(
            file() + " is no file of labels: it is no file but a folder, a pipe or a device");
  }

  /** A link in a stranger's folder: what it leads to stays as it is. */
  @Test
  void whatIsWrittenReplacesALink() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), "[" + LABEL + "]");
    Files.createSymbolicLink(file(), other);
    Labels labels = Labels.of(folder);
    labels.set(new Labels.Label(2, "window"));
    assertThat(other).hasContent("[" + LABEL + "]");
    assertThat(Labels.of(folder).all()).hasSize(2);
  }
}
