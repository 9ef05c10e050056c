package org.cartostream.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RenamedSettingsTest {

  private static final List<String> KEYS =
      Settings.keys(RootSettings.class).stream().map(Settings.Key::name).toList();

  @Test
  void newNamesAreThereAndOldOnesAreNot() {
    RenamedSettings.SINCE_0_1
        .names()
        .forEach(
            (old, today) -> {
              assertThat(KEYS).as(old).noneMatch(key -> names(old, key));
              assertThat(KEYS).as(today).anyMatch(key -> names(today, key));
            });
  }

  private static boolean names(String row, String key) {
    return key.equals(row) || key.startsWith(row + ".");
  }
}
