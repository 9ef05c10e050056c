package org.cartostream.deploy.cluster;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.UnreachableHosts;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;

/** Log files of a cluster's servers and workers on all of its hosts. */
record ClusterLogs(ClusterHome home, ClusterSpec plan) {

  /**
   * Returns the last lines of each file that is not empty, behind a line {@code == } and the path;
   * at the end a line for each host that cannot be reached.
   *
   * @param part text that the path of a file below {@code logs/} contains; the folders above do not
   *     count, as one may be called as a topology is
   * @param lines maximum number of lines of each file
   */
  List<String> ends(String part, int lines) {
    UnreachableHosts unreachableHosts = new UnreachableHosts();
    List<String> ends = new ArrayList<>();
    for (Host host : plan.hosts()) {
      String script =
          """
          cd %s || exit 0
          find * -name '*.log' -size +0 | { grep -F -- %s || true; } | sort | while read -r file; do
            printf '== %%s\\n' "$PWD/$file"
            tail -n %d "$file"
          done
          """
              .formatted(
                  Host.quoted(home.of(host).resolve("logs").toString()), Host.quoted(part), lines);
      unreachableHosts.ask(host, () -> host.run(script)).stream()
          .flatMap(String::lines)
          .forEach(ends::add);
    }
    unreachableHosts.reasons().forEach(why -> ends.add("== no logs of a host: " + why));
    return ends;
  }
}
