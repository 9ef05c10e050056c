package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class CheckpointAgesTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static RegistryEntry service(String name, long secondsAgo) {
    return RegistryEntry.ofThisProcess(name, RegistryEntry.SERVICE)
        .durableAt(NOW.minusSeconds(secondsAgo).toEpochMilli());
  }

  @Test
  void aServiceWhoseCheckpointsAreOldIsFound() {
    RegistryEntry empty = RegistryEntry.ofThisProcess("empty", RegistryEntry.SERVICE);
    List<HealthResult> findings =
        CheckpointAges.findings(List.of(service("well", 9), empty, service("full", 301)), NOW);

    assertThat(findings).hasSize(2);
    assertThat(findings.get(0).isHealthy()).isTrue();
    assertThat(findings.get(0).finding())
        .isEqualTo("what came until 9 s ago is durable, of each run");
    assertThat(findings.get(1).part()).isEqualTo("checkpoints of full");
    assertThat(findings.get(1).isHealthy()).isFalse();
    assertThat(findings.get(1).finding()).contains("301 s");
    assertThat(findings.get(1).remedy()).contains("checkpoint.folder");
  }
}
