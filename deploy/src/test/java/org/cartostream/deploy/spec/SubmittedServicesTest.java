package org.cartostream.deploy.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmittedServicesTest {

  @TempDir private Path folder;

  @Test
  void namesThoseThatWereSubmittedAndNotForgotten() throws IOException {
    SubmittedServices services = new SubmittedServices(folder.resolve("services"));
    assertThat(services.names()).isEmpty();
    services.save("two", Map.of("slam.particles", "3"));
    services.save("one", Map.of());
    assertThat(services.names()).containsExactly("one", "two");
    assertThat(services.find("two")).contains(Map.of("slam.particles", "3"));
    services.forget("one");
    assertThat(services.names()).containsExactly("two");
    assertThat(services.find("one")).isEmpty();
  }
}
