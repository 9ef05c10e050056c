package org.cartostream.deploy.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SubmittedServicesTest {

  private static final Map<String, String> BEFORE = Map.of("topology.workers", "2");
  private static final Map<String, String> AFTER = Map.of("topology.workers", "3");

  @TempDir private Path folder;

  @Test
  void theLatestSettingsAreFoundUntilTheServiceIsForgotten() throws Exception {
    SubmittedServices services = new SubmittedServices(folder.resolve("services"));
    assertThat(services.find("mine")).isEmpty();
    assertThat(services.names()).isEmpty();
    services.save("other", BEFORE);
    services.save("mine", BEFORE);
    services.save("mine", AFTER);
    assertThat(services.find("mine")).contains(AFTER);
    assertThat(services.names()).containsExactly("mine", "other");
    services.forget("mine");
    assertThat(services.names()).containsExactly("other");
    assertThat(services.find("mine")).isEmpty();
    assertThat(services.find("other")).contains(BEFORE);
  }

  /** As on a full disk. */
  @Test
  void settingsThatCannotBeSavedLeaveThoseBefore() throws Exception {
    SubmittedServices services = new SubmittedServices(folder);
    services.save("mine", BEFORE);
    Files.createDirectories(folder.resolve("mine.json.next"));
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> services.save("mine", AFTER));
    assertThat(services.find("mine")).contains(BEFORE);
    assertThat(services.names()).containsExactly("mine");
  }
}
