package org.cartostream.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @Test
  void aFlagWinsOverTheFile() throws IOException {
    String file = file("registry:\n  zookeeper: a:1\n");

    ConfigurationOptions options = parsed("--config", file, "--set", "registry.zookeeper=b:2");

    assertThat(options.settings(Map.of()).registry().zookeeper()).isEqualTo("b:2");
    assertThat(options.assigned("registry.")).containsExactly("registry.zookeeper");
    assertThat(options.assigned("slam.")).isEmpty();
  }

  @Test
  void refusesAnUnknownKeyOfFileAndFlag() throws IOException {
    for (ConfigurationOptions options :
        List.of(
            parsed("--config", file("slam:\n  particle: 30\n")),
            parsed("--set", "slam.particle=30"))) {
      assertThatThrownBy(() -> options.settings(Map.of()))
          .isInstanceOf(ExitException.class)
          .hasMessageContaining("slam.particle");
    }
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
    new CommandLine(drive).parseArgs(arguments);
    return drive.nested.configuration;
  }
}
