package org.cartostream.deploy.cluster;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.host.UnreachableHosts;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.process.StartupWait;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.spec.ClusterHome;

/** Restart of a cluster's servers that have died. */
record ServerRestart(ClusterServers servers) {

  /**
   * Returns true for the supervisor of a drained host, which must not run, as it would start
   * workers.
   */
  static boolean isDrained(ClusterHome home, ServerProcess server) {
    return server.role() == HostRole.SUPERVISOR && home.drained().has(server.host());
  }

  /**
   * Starts the servers that have died.
   *
   * @param drainedToo true if hosts that were drained must run workers again
   * @return the names of the servers that were started
   * @throws ClusterException if a server does not start, or if some hosts cannot be reached; in
   *     that case the servers of all others run
   */
  List<String> restart(boolean drainedToo) {
    UnreachableHosts unreachableHosts = new UnreachableHosts();
    List<ServerProcess> dead =
        servers.daemons().stream()
            .filter(server -> drainedToo || !isDrained(servers.home(), server))
            .filter(
                server ->
                    unreachableHosts
                        .ask(server.host(), server::pid)
                        .filter(pid -> pid == 0)
                        .isPresent())
            .toList();
    List<String> started = new ArrayList<>();
    for (ServerProcess server : dead) {
      try {
        start(server);
      } catch (ClusterException e) {
        // The server may need something on a host that cannot be reached.
        throw unreachableHosts.reasons().isEmpty()
            ? e
            : new ClusterException(message(unreachableHosts) + "; " + e.getMessage(), e);
      }
      started.add(server.toString());
    }
    if (!unreachableHosts.reasons().isEmpty()) {
      String others = dead.isEmpty() ? "all servers run" : "started " + String.join(", ", started);
      throw new ClusterException(message(unreachableHosts) + "; on the others " + others);
    }
    return started;
  }

  private void start(ServerProcess server) {
    if (server.isListening()) {
      // RabbitMQ still listens if only the script is killed in which it runs. A second server would
      // end at once.
      throw new ClusterException(
          "%s: its process has ended, but something still listens at %s:%d, so that it cannot start; 'ss -ltnp' on %s says what"
              .formatted(server, server.host().address(), server.port(), server.host().name()));
    }
    server.start();
    StartupWait.UNINTERRUPTED.await(server, server::isListening);
    if (server.role() == HostRole.SUPERVISOR) {
      servers.home().drained().remove(server.host());
    }
  }

  private String message(UnreachableHosts unreachableHosts) {
    return "%d of %d hosts cannot be reached (%s)"
        .formatted(
            unreachableHosts.reasons().size(),
            servers.plan().hosts().size(),
            String.join("; ", unreachableHosts.reasons()));
  }
}
