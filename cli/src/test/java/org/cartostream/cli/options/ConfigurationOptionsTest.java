package org.cartostream.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Quick
class ConfigurationOptionsTest {

  /** The options as a command has them, or options of its own that have them in turn. */
  @Command
  static class Drive {
    @Mixin Nested nested;
  }

  static class Nested {
    @Mixin ConfigurationOptions configuration;
  }

  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();

  @Test
  void takesOldKeysOfFileAndFlagsAndNotesEachOnce() throws IOException {
    ConfigurationOptions options =
        parsed(
            "--config",
            file("slam:\n  intake:\n    nearestMetres: 0.3\n"),
            "--set",
            "register.zookeeper=a:1");

    options.settings(Map.of());
    var settings = options.settings(Map.of());

    assertThat(settings.slam().readingFilter().nearestMetres()).isEqualTo(0.3);
    assertThat(settings.registry().zookeeper()).isEqualTo("a:1");
    assertThat(err.toString().lines().toList())
        .satisfiesExactly(
            note ->
                assertThat(note)
                    .startsWith("note: ")
                    .contains("my.yaml", "'slam.intake.nearestMetres'")
                    .contains("'slam.readingFilter.nearestMetres'"),
            note ->
                assertThat(note)
                    .startsWith("note: --set: 'register.zookeeper'")
                    .contains("'registry.zookeeper'"));
  }

  @Test
  void aFlagWinsOverTheFileUnderWhicheverNames() throws IOException {
    String file = file("registry:\n  zookeeper: a:1\n");

    ConfigurationOptions old = parsed("--config", file, "--set", "register.zookeeper=b:2");
    assertThat(old.settings(Map.of()).registry().zookeeper()).isEqualTo("b:2");

    String before = file("register:\n  zookeeper: a:1\n");
    ConfigurationOptions renamed = parsed("--config", before, "--set", "registry.zookeeper=b:2");
    assertThat(renamed.settings(Map.of()).registry().zookeeper()).isEqualTo("b:2");
  }

  @Test
  void refusesAnOldKeyBesideItsNewOne() throws IOException {
    ConfigurationOptions flags =
        parsed("--set", "register.zookeeper=a:1", "--set", "registry.zookeeper=b:2");
    assertThatThrownBy(() -> flags.settings(Map.of()))
        .isInstanceOf(ExitException.class)
        .hasMessageContainingAll("--set", "'register.zookeeper'", "'registry.zookeeper'", "both");

    ConfigurationOptions file =
        parsed("--config", file("register:\n  zookeeper: a:1\nregistry:\n  zookeeper: a:1\n"));
    assertThatThrownBy(() -> file.settings(Map.of()))
        .isInstanceOf(ExitException.class)
        .hasMessageContainingAll("my.yaml", "'register.zookeeper'", "both");
  }

  @Test
  void namesAssignedKeysByTodaysNames() {
    ConfigurationOptions options =
        parsed("--set", "register.zookeeper=a:1", "--set", "slam.seed=3");

    assertThat(options.assigned("registry.")).containsExactly("registry.zookeeper");
    assertThat(options.assigned("register.")).isEmpty();
  }

  @Test
  void refusesAKeyWithoutAValue() {
    ConfigurationOptions options = parsed("--set", "slam.particles");

    assertThatThrownBy(() -> options.settings(Map.of()))
        .hasMessage("--set 'slam.particles': key=value is needed");
    assertThatThrownBy(() -> options.assigned("slam."))
        .isInstanceOf(ExitException.class)
        .hasMessage("--set 'slam.particles': key=value is needed");
  }

  private String file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("my.yaml"), yaml).toString();
  }

  private ConfigurationOptions parsed(String... arguments) {
    Drive drive = new Drive();
    CommandLine line = new CommandLine(drive).setErr(new PrintWriter(err, true));
    line.parseArgs(arguments);
    return drive.nested.configuration;
  }
}
