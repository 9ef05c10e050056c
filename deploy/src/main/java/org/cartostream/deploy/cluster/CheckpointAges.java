package org.cartostream.deploy.cluster;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.RegistryException;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.host.ClusterException;

/**
 * Ages of the latest checkpoints, as services report them in the registry. The age of a service is
 * that of its run with the oldest checkpoint.
 *
 * @param zookeeper ZooKeeper with the registry
 */
record CheckpointAges(ZooKeeperAccess zookeeper) {

  /**
   * Age above which something is wrong: even large states are saved each minute or two. Services
   * that save less often do not report an age.
   */
  private static final long MAX_SECONDS = 300;

  /** Returns a finding for each service that has runs. */
  List<HealthResult> findings(Instant now) {
    try (Registry registry = Registry.open(zookeeper, RegistrySettings.defaults())) {
      return findings(registry.list(Registry.Kind.SERVICES), now);
    } catch (RegistryException e) {
      return List.of(
          new HealthResult("checkpoints", e.getMessage(), "'cluster logs zookeeper' says why"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while reading the registry", e);
    }
  }

  static List<HealthResult> findings(List<RegistryEntry> services, Instant now) {
    return services.stream()
        .filter(service -> service.durableAt() > 0)
        .map(service -> finding(service, now))
        .toList();
  }

  private static HealthResult finding(RegistryEntry service, Instant now) {
    String part = "checkpoints of " + service.id();
    long millis = Math.max(0, now.toEpochMilli() - service.durableAt()); // Hosts' clocks differ.
    long seconds = TimeUnit.MILLISECONDS.toSeconds(millis);
    String found = "what came until " + seconds + " s ago is durable, of each run";
    return seconds <= MAX_SECONDS
        ? HealthResult.healthy(part, found)
        : new HealthResult(
            part,
            found + "; a failure would repeat all since then",
            "'cluster logs " + service.id() + "' says why; is checkpoint.folder there, with room?");
  }
}
