package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The findings of {@link ClusterHealth} that need no cluster to be made. */
@Quick
class ClusterHealthTest {

  /** For a minute after a host was drained, Nimbus knows one supervisor more than are wanted. */
  @ParameterizedTest
  @CsvSource({"3, 2, true", "2, 2, true", "1, 2, false", "0, 1, false"})
  void supervisorsThatAreMissingAreAFault(int known, long wanted, boolean healthy) {
    assertThat(ClusterHealth.supervisors(known, wanted, "found").isHealthy()).isEqualTo(healthy);
  }
}
