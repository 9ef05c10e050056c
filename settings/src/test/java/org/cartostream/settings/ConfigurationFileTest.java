package org.cartostream.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class ConfigurationFileTest {

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("my.yaml"), text);
  }

  private AbstractThrowableAssert<?, ?> complaintAbout(String text) throws IOException {
    Path file = file(text);
    return assertThatThrownBy(() -> ConfigurationFile.read(file))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void flattensSectionsIntoKeys() throws IOException {
    assertThat(ConfigurationFile.read(file("slam:\n  particles: 30\n  a: {b: 0.10}\nx: yes\n")))
        .containsExactly(
            Map.entry("slam.particles", "30"),
            Map.entry("slam.a.b", "0.10"),
            Map.entry("x", "yes"));
  }

  @Test
  void anEmptyFileChangesNothing() throws IOException {
    assertThat(ConfigurationFile.read(file("# nothing but a comment\n"))).isEmpty();
  }

  @Test
  void refusesAKeyThatStandsThereTwice() throws IOException {
    complaintAbout("slam:\n  seed: 1\n  seed: 2\n")
        .hasMessageContaining("line 3")
        .hasMessageContaining("slam.seed");
  }

  @Test
  void refusesASectionThatStandsThereTwice() throws IOException {
    complaintAbout("slam:\n  seed: 1\nslam:\n  seed: 2\n").hasMessageContaining("slam");
  }

  @Test
  void refusesAList() throws IOException {
    complaintAbout("slam:\n  seed: [1, 2]\n").hasMessageContaining("'slam.seed' is a list");
  }

  /** As a ROS 2 parameter file has it. */
  @Test
  void takesAListOfParametersAsText() throws IOException {
    Path file =
        file("slam_toolbox:\n  ros__parameters:\n    start: [1.5, -2, 0.5]\n    none: []\n");
    assertThat(ConfigurationFile.readParameters(file))
        .isEqualTo(
            Map.of(
                "slam_toolbox.ros__parameters.start", "[1.5, -2, 0.5]",
                "slam_toolbox.ros__parameters.none", "[]"));
  }

  @Test
  void refusesAKeyWithoutValue() throws IOException {
    complaintAbout("slam:\n  seed:\n").hasMessageContaining("'slam.seed' has no value");
  }

  @Test
  void refusesWhatIsNoYaml() throws IOException {
    complaintAbout("slam: {seed: 1\n  - ]").hasMessageContaining("my.yaml, line");
  }

  @Test
  void saysWhereTheMistakeIsAndWhatItIs() throws IOException {
    complaintAbout("slam:\n\tparticles: 3\n")
        .hasMessageContaining("my.yaml, line 2: this is no YAML: found character '\\t(TAB)'");
    complaintAbout("slam: [1,\n").hasMessageContaining("line 2: this is no YAML: expected");
    complaintAbout("slam: [1]\n")
        .hasMessageContaining("line 1: 'slam' is a list; it must be a sec");
    complaintAbout("slam:\n  robot: \"3\n\n")
        .hasMessageContaining(
            "end of stream, while scanning a quoted scalar that begins in line 2");
    complaintAbout("slam:\n  seed: \0").hasMessageContaining("special characters");
  }

  @Test
  void refusesWhatIsNoText() throws IOException {
    Path file = Files.write(folder.resolve("my.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G'});
    assertThatThrownBy(() -> ConfigurationFile.read(file))
        .hasMessage(file + " is no YAML: it is no text in UTF-8");
  }

  @Test
  void refusesAFileThatIsMissing() {
    assertThatThrownBy(() -> ConfigurationFile.read(folder.resolve("none.yaml")))
        .hasMessageContaining("no configuration file")
        .hasMessageContaining("none.yaml");
  }

  @Test
  void namesAFolder() {
    assertThatThrownBy(() -> ConfigurationFile.read(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + folder + "' is a folder; a YAML file with settings is needed");
  }

  @Test
  void readsNoDevice() {
    assertThatThrownBy(() -> ConfigurationFile.read(Path.of("/dev/zero")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "/dev/zero is no file of settings: it is no file but a folder, a pipe or a device");
  }

  @Test
  void sizesAreBoundedAndLongWordsCut() throws IOException {
    String word = "x".repeat(100_000);
    for (String text :
        new String[] {
          word + ": 1",
          "slam:\n  " + word + ": 1",
          "slam:\n  particles: " + word,
          "a: ".repeat(200_000) + "1",
          "[".repeat(200_000),
          "{a: ".repeat(20_000),
          "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
          "slam: !!javax.script.ScriptEngineManager [1]",
          "slam: !!java.io.File /tmp/x\nslam: 1",
          " \n".repeat(1_000_000),
        }) {
      Path file = file(text);
      assertThatThrownBy(() -> ConfigurationFile.read(file))
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(e -> assertThat(e.getMessage()).contains("my.yaml").hasSizeLessThan(1_500));
    }
  }
}
