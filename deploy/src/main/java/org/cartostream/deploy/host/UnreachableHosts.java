package org.cartostream.deploy.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Collection of the hosts that could not be reached while all were asked, so that one such host
 * does not prevent the others' answers. Each is waited for once. Used by one command's thread.
 */
public final class UnreachableHosts {

  private final Map<Host, String> reason = new LinkedHashMap<>();

  /**
   * Asks a question of a host, or of a script there; returns empty, and notes the reason, if the
   * host cannot be reached.
   */
  public <T> Optional<T> ask(Host host, Supplier<T> question) {
    if (reason.containsKey(host)) {
      return Optional.empty();
    }
    try {
      return Optional.of(question.get());
    } catch (ClusterException e) {
      reason.put(host, e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns why a host could not be reached; empty if it could, or was not asked. */
  public Optional<String> reason(Host host) {
    return Optional.ofNullable(reason.get(host));
  }

  /** Returns the reasons why hosts could not be reached; each names its host. */
  public List<String> reasons() {
    return List.copyOf(reason.values());
  }
}
