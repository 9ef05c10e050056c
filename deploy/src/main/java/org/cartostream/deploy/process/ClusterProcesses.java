package org.cartostream.deploy.process;

import java.util.List;
import java.util.Map;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.spec.ClusterHome;

/**
 * Processes of a cluster on one host: those whose environment has the cluster's tag. Children
 * inherit the tag: workers, their log writers, Erlang's port mapper.
 */
public record ClusterProcesses(ClusterHome home, Host host) {

  /**
   * Returns the part of a script that prints which processes have the tag, of those with these
   * environment files in {@code /proc}.
   */
  String find(String environments) {
    Map.Entry<String, String> mark = home.processTag(host);
    // -z: the lines of /proc/PID/environ end with NUL; -x: the whole line must be the tag.
    return "grep -lzxF -- %s %s 2>/dev/null | cut -d/ -f3"
        .formatted(Host.quoted(mark.getKey() + "=" + mark.getValue()), environments);
  }

  /** Returns the ids of the processes. */
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
   * Kills all processes at once, so that none starts another again.
   *
   * @return the ids of the killed processes
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
