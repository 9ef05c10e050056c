package org.cartostream.deploy.process;

import java.util.List;
import java.util.Map;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.spec.ClusterHome;

/**
 * The processes of a cluster on one host: those whose environment has its mark. Children inherit
 * it: workers, their log writers, Erlang's port mapper.
 */
public record ClusterProcesses(ClusterHome home, Host host) {

  /** A shell's words that print those of some files in {@code /proc} that have the mark. */
  String find(String environments) {
    Map.Entry<String, String> mark = home.processTag(host);
    // -z: the lines of /proc/PID/environ end with NUL; -x: the whole line must be the mark.
    return "grep -lzxF -- %s %s 2>/dev/null | cut -d/ -f3"
        .formatted(Host.quoted(mark.getKey() + "=" + mark.getValue()), environments);
  }

  /** Returns the numbers of the processes. */
  public List<Long> pids() {
    return host.run(find("/proc/[0-9]*/environ") + " || true\n")
        .lines()
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  /** Ends Storm's workers, and the processes that write their logs. */
  public void killWorkers() {
    for (long pid : pids()) {
      host.run(
          "if tr '\\0' ' ' </proc/%d/cmdline 2>/dev/null | grep -q -- '-Dworker.port='; then kill -9 %d 2>/dev/null || true; fi\n"
              .formatted(pid, pid));
    }
  }

  /**
   * Ends them all at once, so that no one starts another again.
   *
   * @return those that there were
   */
  public List<Long> kill() {
    List<Long> there = pids();
    if (!there.isEmpty()) {
      String numbers = String.join(" ", there.stream().map(String::valueOf).toList());
      host.run("kill -9 " + numbers + " 2>/dev/null || true\n");
    }
    return there;
  }
}
