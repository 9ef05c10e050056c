package org.cartostream.deploy.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/** The Compose file, held against the schema that Compose has; nothing of it is run. */
@Nightly
class ComposeFileIT {

  private static final String FILE = "deploy/compose/compose.yaml";

  @Test
  void fitsTheSchema() throws Exception {
    Artefacts.require("docker-compose");
    Map<String, String> password = Map.of("BROKER_PASSWORD", "any");
    assertThat(Artefacts.run(password, "docker-compose", "-f", FILE, "config", "--services"))
        .contains("service", "page", "rabbitmq", "zookeeper", "prometheus", "grafana");
    assertThat(Artefacts.run(password, "docker-compose", "-f", FILE, "config").lines())
        .filteredOn(line -> line.contains(" image: "))
        .as("images, each by the tag of a version")
        .hasSize(6)
        .allMatch(line -> line.matches(".*:v?[0-9][^:]*"));
  }
}
