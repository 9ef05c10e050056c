package org.cartostream.deploy.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;

/**
 * Process of one of a cluster's servers.
 *
 * @param role role that the server plays
 * @param host host on which the server runs
 * @param folder folder of the host's part of the cluster
 * @param leftovers the cluster's processes on the host
 * @param port port at which the server listens when it is ready
 * @param command program and arguments
 * @param environment variables beside the host's own
 */
public record ServerProcess(
    HostRole role,
    Host host,
    Path folder,
    ClusterProcesses leftovers,
    int port,
    List<String> command,
    Map<String, String> environment) {

  private static final int CONNECT_MILLIS = 500;
  private static final String OUTPUT = ".out.log";

  /**
   * Least number of files and connections that a server must be allowed to have open. The broker
   * has one for each connection, of which a robot may have eight, and some for its queues. More
   * than {@link #MAX_FILES} serve nobody, and Erlang takes memory for all that it could have.
   */
  private static final int MIN_FILES = 4096;

  private static final int MAX_FILES = 65536;

  private static final String OPEN_FILES =
      """
      files=$(ulimit -Hn)
      if [ "$files" = unlimited ] || [ "$files" -gt %2$d ]; then files=%2$d; fi
      if [ "$files" -lt %1$d ]; then
        echo "a process may have $files files open at a time ('ulimit -Hn'), and a cluster's server needs\
       %1$d: set nofile in /etc/security/limits.conf, or LimitNOFILE= where a unit starts it" >&2
        exit 1
      fi
      ulimit -n "$files"
      """
          .formatted(MIN_FILES, MAX_FILES);

  /**
   * Maximum number of writes of the server's output, of 4 kB at most each; further output is
   * dropped, as the server's own log has what matters. A full disk ends the output sooner. The
   * server never has to wait for a write.
   */
  private static final int MAX_WRITES = 4096;

  /**
   * Script that starts a process. Nobody else may read its output, which may hold a password, as
   * Storm keeps its settings with each topology.
   */
  private static final String START =
      """
      umask 077 && cd %1$s || exit 1
      export output=%2$s
      if [ -e "$output" ]; then mv -f "$output" "$output.1"; fi
      rm -f %3$s && mkfifo %3$s || exit 1
      %4$s sh -c 'dd bs=4096 count=%5$d >"$output"; exec cat >/dev/null' <%3$s >/dev/null 2>&1 &
      %4$s %6$s >%3$s 2>&1 </dev/null &
      echo $! >%7$s
      """;

  /**
   * Returns the file of the server's output; with another ending the log of a JVM, which its own
   * settings name.
   */
  private Path log(String ending) {
    return folder.resolve("logs").resolve(role + ending);
  }

  private Path pidFile() {
    return folder.resolve(role + ".pid");
  }

  /**
   * Starts the server in a session of its own, so that it outlives whoever has started it.
   *
   * @throws org.cartostream.deploy.host.ClusterException if the host does not let it start
   */
  public void start() {
    String settings =
        new TreeMap<>(environment)
            .entrySet().stream()
                .map(entry -> entry.getKey() + "=" + Host.quoted(entry.getValue()))
                .collect(Collectors.joining(" "));
    String words = command.stream().map(Host::quoted).collect(Collectors.joining(" "));
    host.run(
        OPEN_FILES
            + START.formatted(
                Host.quoted(folder.toString()),
                Host.quoted(log(OUTPUT).toString()),
                Host.quoted(role + ".pipe"),
                "env " + settings + " setsid",
                MAX_WRITES,
                words,
                Host.quoted(pidFile().toString())));
  }

  /**
   * Returns the server's process id; 0 if the process is gone. Another process of the same id, as
   * there may be after the host was booted again, does not have the cluster's tag.
   */
  public long pid() {
    String pid =
        host.run(
                "pid=$(cat %s 2>/dev/null) && %s || true\n"
                    .formatted(
                        Host.quoted(pidFile().toString()), leftovers.find("/proc/$pid/environ")))
            .strip();
    return pid.isEmpty() ? 0 : Long.parseLong(pid);
  }

  /** Returns true if somebody listens at the server's port. */
  public boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host.address(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Returns the last lines of the server's output and log. */
  String logTail(int lines) {
    return host.run(
        "tail -q -n %d %s %s 2>/dev/null || true\n"
            .formatted(
                lines, Host.quoted(log(OUTPUT).toString()), Host.quoted(log(".log").toString())));
  }

  @Override
  public String toString() {
    return role + " on " + host.name();
  }
}
