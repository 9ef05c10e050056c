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
   * The end of each file that is not empty, after a line {@code == } and its path; at the end a
   * line for each host that cannot be reached.
   *
   * @param part only of files with this in their path below {@code logs/}: the folder above may
   *     well be called as a topology is
   * @param lines most of each file
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
