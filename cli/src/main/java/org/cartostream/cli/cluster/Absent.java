package org.cartostream.cli.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The hosts that could not be reached while all were asked, so that one of them does not keep the
 * others' answers from who asks. Each is waited for once. Owned by one command's thread.
 */
final class Absent {

  private final Map<Host, String> why = new LinkedHashMap<>();

  /** What is answered by a host, or by a script there; empty if that cannot be had. */
  <T> Optional<T> ask(Host host, Supplier<T> question) {
    if (why.containsKey(host)) {
      return Optional.empty();
    }
    try {
      return Optional.of(question.get());
    } catch (ClusterException e) {
      why.put(host, e.getMessage());
      return Optional.empty();
    }
  }

  /** Why a host could not be reached; empty if it could, or was not asked. */
  Optional<String> why(Host host) {
    return Optional.ofNullable(why.get(host));
  }

  /** For each host that could not be reached, its name and why. */
  List<String> sentences() {
    return List.copyOf(why.values());
  }
}
