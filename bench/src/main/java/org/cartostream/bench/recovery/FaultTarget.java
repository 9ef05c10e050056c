package org.cartostream.bench.recovery;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.run.exit.ExitException;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.task.Component;

/** Target of a kill: a worker by its tasks, a server, the gateway; or all of a kind. */
public enum FaultTarget {
  DISPATCHER(Component.Dispatcher.class),
  PUBLISHER(Component.Publisher.class),
  RESAMPLER(Component.Resampler.class),
  /** A worker with matchers and without the dispatcher, preferably with nothing else. */
  MATCHERS(Component.Matchers.class),
  WORKERS,
  BROKER(HostRole.BROKER),
  ZOOKEEPER(HostRole.ZOOKEEPER),
  NIMBUS(HostRole.NIMBUS),
  GATEWAY,
  /** The cluster with all of its processes, and the gateway. */
  EVERYTHING;

  private final String component;
  private final HostRole role;

  FaultTarget() {
    this(null, null);
  }

  FaultTarget(Class<? extends Component> component) {
    this(Component.nameOf(component), null);
  }

  FaultTarget(HostRole role) {
    this(null, role);
  }

  FaultTarget(String component, HostRole role) {
    this.component = component;
    this.role = role;
  }

  /** Returns the server's role; empty if the target is no server. */
  Optional<HostRole> role() {
    return Optional.ofNullable(role);
  }

  /** Returns true if a worker with these components is such a target. */
  boolean isIn(Set<String> components) {
    return this == WORKERS
        || components.contains(component)
            && !(this == MATCHERS && components.contains(DISPATCHER.component));
  }

  /** Returns true if workers die, one at least. */
  boolean isWorker() {
    return component != null || this == WORKERS;
  }

  /** Returns true if the gateway dies. */
  boolean includesGateway() {
    return this == GATEWAY || this == EVERYTHING;
  }

  /** Returns true if a service of this mode has such a process. */
  public boolean isThere(ResamplingMode mode) {
    return this != RESAMPLER || mode == ResamplingMode.DATAFLOW;
  }

  /**
   * Returns targets by their names, in the order of this enum.
   *
   * @throws ExitException if a name is no target's
   */
  public static List<FaultTarget> named(List<String> names) {
    return names.stream().map(FaultTarget::named).sorted().toList();
  }

  private static FaultTarget named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ExitException.wrongUsage(
                    "'%s' cannot be killed; what can is: %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(FaultTarget::toString)
                                .collect(Collectors.joining(", ")))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
