package org.cartostream.deploy.cluster;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Role;
import org.cartostream.deploy.host.UnreachableHosts;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.process.StartupWait;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.spec.ClusterHome;

/** Restart of a cluster's servers that have died. */
record ServerRestart(ClusterServers servers) {

  /** True of the supervisor of a drained host, which is not to run: it would start workers. */
  static boolean isDrained(ClusterHome home, ServerProcess server) {
    return server.role() == Role.SUPERVISOR && home.drained().has(server.host());
  }

  /**
   * Starts them.
   *
   * @param drainedToo true if hosts that were drained are to run workers again
   * @return what they are
   * @throws ClusterException if one does not start; and if some hosts cannot be reached, when all
   *     on the others run
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
        // It may well be for want of what is on a host that is away.
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
      // As RabbitMQ does if only the script is killed in which it runs. Another would end at once.
      throw new ClusterException(
          "%s: its process has ended, but something still listens at %s:%d, so that it cannot start; 'ss -ltnp' on %s says what"
              .formatted(server, server.host().address(), server.port(), server.host().name()));
    }
    server.start();
    StartupWait.UNINTERRUPTED.await(server, server::isListening);
    if (server.role() == Role.SUPERVISOR) {
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
