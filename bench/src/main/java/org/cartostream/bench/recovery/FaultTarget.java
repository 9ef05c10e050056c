package org.cartostream.bench.recovery;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.cartostream.deploy.host.Role;
import org.cartostream.run.exit.ExitException;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.task.Component;

/** A kind of process to kill: a worker by its tasks, a server, the gateway; or all of a kind. */
public enum FaultTarget {
  DISPATCHER(Component.Dispatcher.class),
  PUBLISHER(Component.Publisher.class),
  RESAMPLER(Component.Resampler.class),
  /** A worker without the dispatcher, and with nothing else in it if there is one. */
  MATCHERS(Component.Matchers.class),
  WORKERS,
  BROKER(Role.BROKER),
  ZOOKEEPER(Role.ZOOKEEPER),
  NIMBUS(Role.NIMBUS),
  GATEWAY,
  /** The cluster with all of its processes, and the gateway. */
  EVERYTHING;

  private final String component;
  private final Role role;

  FaultTarget() {
    this(null, null);
  }

  FaultTarget(Class<? extends Component> component) {
    this(Component.nameOf(component), null);
  }

  FaultTarget(Role role) {
    this(null, role);
  }

  FaultTarget(String component, Role role) {
    this.component = component;
    this.role = role;
  }

  /** The server's role; empty if it is none. */
  Optional<Role> role() {
    return Optional.ofNullable(role);
  }

  /** True if a worker with these components is such a one. */
  boolean isIn(Set<String> components) {
    return this == WORKERS
        || components.contains(component)
            && !(this == MATCHERS && components.contains(DISPATCHER.component));
  }

  /** True if workers die, one at least. */
  boolean isWorker() {
    return component != null || this == WORKERS;
  }

  /** True if the gateway dies. */
  boolean includesGateway() {
    return this == GATEWAY || this == EVERYTHING;
  }

  /** True if a service of this mode has it. */
  public boolean isThere(ResamplingMode mode) {
    return this != RESAMPLER || mode == ResamplingMode.DATAFLOW;
  }

  /**
   * Victims by their names, in the order of this enum.
   *
   * @throws ExitException if a name is none
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
