package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.ConfigurationFile;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SettingsCommandTest {

  @TempDir private Path folder;

  @Test
  void printsTheDefaultsAsAConfigurationFile() throws IOException {
    Path file = Files.writeString(folder.resolve("my.yaml"), Cartostream.run("settings").out());
    RootSettings read = Settings.build(RootSettings.class, ConfigurationFile.read(file));
    assertThat(read).isEqualTo(Settings.defaults(RootSettings.class));
    assertThat(ConfigurationFile.read(file).keySet())
        .containsExactlyElementsOf(
            Settings.keys(RootSettings.class).stream().map(Settings.Key::name).toList());
  }
}
