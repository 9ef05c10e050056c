package org.cartostream.deploy.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.spec.ClusterSpec;

/**
 * Check that all hosts with workers see the same checkpoints, by a file that the first of these
 * hosts makes. A task that starts on another host than before must find its checkpoint there.
 */
record SharedCheckpoints(ClusterSpec clusterSpec) {

  /**
   * Returns a sentence on what cannot be recovered; empty if all hosts see the same checkpoints, or
   * a bucket is named.
   */
  Optional<String> missing() {
    List<Host> hosts = clusterSpec.hosts().stream().filter(host -> host.slots() > 0).toList();
    boolean isElsewhere = hosts.stream().anyMatch(host -> !host.sharesFiles());
    if (hosts.size() < 2 || clusterSpec.storesInBucket() || !isElsewhere) {
      return Optional.empty();
    }
    if (clusterSpec.checkpoints().isEmpty()) {
      return Optional.of(
          "hosts.yaml names no store that all hosts see (checkpoints: s3://BUCKET/FOLDER, or a"
              + " shared folder): a run goes on after a failure only if each task starts again on"
              + " the host where it was");
    }
    List<String> without;
    try {
      without = hostsWithout(hosts, Path.of(clusterSpec.checkpoints()));
    } catch (ClusterException e) {
      return Optional.of(
          "whether all hosts see %s could not be checked: %s"
              .formatted(clusterSpec.checkpoints(), e.getMessage()));
    }
    return without.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "what %s writes in %s is not there on %s: a run goes on after a failure only if each task starts again on the host where it was"
                .formatted(hosts.get(0).name(), clusterSpec.checkpoints(), without));
  }

  private static List<String> hostsWithout(List<Host> hosts, Path folder) {
    String file = Host.quoted(folder.resolve("cluster-up-" + UUID.randomUUID()).toString());
    Host first = hosts.get(0);
    first.run("mkdir -p %s && : > %s\n".formatted(Host.quoted(folder.toString()), file));
    try {
      return hosts.stream()
          .skip(1)
          .filter(host -> host.run("test -e %s || echo no\n".formatted(file)).startsWith("no"))
          .map(Host::name)
          .toList();
    } finally {
      first.run("rm -f %s\n".formatted(file));
    }
  }
}
