package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.Host.Reach;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What a cluster is told of its checkpoints where no host needs to be asked. */
@Quick
class SharedCheckpointsTest {

  private static Optional<String> missing(Reach reach, int supervisors, String checkpoints) {
    List<Host> hosts = new ArrayList<>();
    EnumSet<HostRole> others = EnumSet.complementOf(EnumSet.of(HostRole.SUPERVISOR));
    hosts.add(new Host("first", reach, "", "192.0.2.1", others, 0));
    for (int i = 1; i <= supervisors; i++) {
      EnumSet<HostRole> roles = EnumSet.of(HostRole.SUPERVISOR);
      hosts.add(new Host("worker" + i, reach, "", "192.0.2." + (i + 1), roles, 1));
    }
    ClusterSpec spec = new ClusterSpec(hosts, ClusterPorts.free(1), true, 256, checkpoints);
    return new SharedCheckpoints(spec).missing();
  }

  @Test
  void severalHostsWithoutAStoreAreToldWhatCannotBeRecovered() {
    assertThat(missing(Reach.SSH, 2, "").orElseThrow())
        .startsWith("hosts.yaml names no store that all hosts see")
        .contains("only if each task starts again on the host where it was");
  }

  @Test
  void whoNeedsNoneIsToldNothing() {
    assertThat(missing(Reach.SSH, 2, "s3://robots/lab")).isEmpty();
    assertThat(missing(Reach.SSH, 1, "")).isEmpty();
    assertThat(missing(Reach.NAMESPACE, 2, "")).isEmpty();
  }
}
