package org.cartostream.deploy.spec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;

/**
 * Specification of a cluster: hosts, roles, ports, TLS.
 *
 * @param hosts hosts with their roles
 * @param ports ports, the same on each host
 * @param secure true if all connections use TLS
 * @param workerHeapMegabytes maximum heap of a worker
 * @param checkpoints store of the services' checkpoints, a folder that all hosts see or {@code
 *     s3://BUCKET/FOLDER}; empty for the cluster's folder on each host
 */
public record ClusterSpec(
    List<Host> hosts,
    ClusterPorts ports,
    boolean secure,
    int workerHeapMegabytes,
    String checkpoints) {

  /** Minimum heap of a worker, of which Storm itself takes some 60 MB. */
  private static final int MIN_HEAP_MEGABYTES = 128;

  private static final String S3 = "s3://";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");

  /**
   * Pattern of an address, a name or a number. It must not begin with -, which ssh would take for
   * an option, which can be a command.
   */
  private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9.:%_-]{0,254}");

  private static final int MAX_BYTES = 1 << 20;

  private static final YAMLMapper YAML = new YAMLMapper();

  /** Maximum number of a host's slots, each of which has a port. */
  private static final int MAX_SLOTS = 1_000;

  /** Content of {@code hosts.yaml}. */
  private record HostsFile(Host.Reach reach, String ssh, String checkpoints, List<Line> hosts) {
    boolean hasHosts() {
      return hosts != null && !hosts.isEmpty() && !hosts.contains(null);
    }

    private record Line(String name, String address, List<HostRole> roles, int slots) {
      Set<HostRole> distinctRoles() {
        if (roles == null || roles.isEmpty() || roles.contains(null)) {
          throw ClusterException.wrongValue(
              "host %s has no roles; it needs one or more of %s"
                  .formatted(name, List.of(HostRole.values())));
        }
        return EnumSet.copyOf(roles);
      }
    }
  }

  /**
   * Checks that hosts can share a store of checkpoints: a folder by its whole path, or a bucket.
   *
   * @param key setting that names the store
   * @param location the store; empty for the usual place
   * @throws ClusterException if hosts cannot share the store
   */
  public static void requireStore(String key, String location) {
    boolean isStore =
        location.isEmpty() || location.startsWith("/") || location.matches(S3 + "[^/]+.*");
    if (!isStore) {
      throw ClusterException.wrongValue(
          "%s: '%s' is no store that hosts can share; a folder such as /mnt/checkpoints or s3://BUCKET/FOLDER is"
              .formatted(key, location));
    }
  }

  public ClusterSpec {
    checkpoints = checkpoints == null ? "" : checkpoints;
    requireStore("checkpoints", checkpoints);
    for (HostRole role : List.of(HostRole.ZOOKEEPER, HostRole.BROKER, HostRole.NIMBUS)) {
      long count = hosts.stream().filter(host -> host.roles().contains(role)).count();
      if (count != 1) {
        throw ClusterException.wrongValue(
            "%d of the hosts %s have the role %s; one must have it"
                .formatted(count, hosts.stream().map(Host::name).toList(), role));
      }
    }
    hosts.forEach(ClusterSpec::require);
    if (hosts.stream().mapToInt(Host::slots).sum() == 0) {
      throw ClusterException.wrongValue(
          "no host has the role " + HostRole.SUPERVISOR + "; one at least must");
    }
    requireDistinct(hosts, Host::name, "two hosts are called '%s'; names must differ");
    requireDistinct(
        hosts,
        Host::address,
        "two hosts have the address '%s'; what listens there would be in each other's way");
    requireHeap(workerHeapMegabytes);
  }

  private static void requireHeap(int megabytes) {
    if (megabytes < MIN_HEAP_MEGABYTES) {
      throw ClusterException.wrongValue(
          "a worker's heap of %d MB is too small: %d at least"
              .formatted(megabytes, MIN_HEAP_MEGABYTES));
    }
  }

  /**
   * Returns a word for a message to a terminal: without control characters, and cut with dots if it
   * is longer than a name may be.
   */
  private static String shown(String word) {
    String all = String.valueOf(word).replaceAll("\\p{Cntrl}", "?");
    return all.length() <= 256 ? all : all.substring(0, 256) + "...";
  }

  private static void requireDistinct(
      List<Host> hosts, Function<Host, String> value, String sentence) {
    Set<String> values = new HashSet<>();
    for (Host host : hosts) {
      if (!values.add(value.apply(host))) {
        throw ClusterException.wrongValue(sentence.formatted(value.apply(host)));
      }
    }
  }

  private static void require(Host host) {
    if (host.name() == null || !NAME.matcher(host.name()).matches()) {
      throw ClusterException.wrongValue(
          "'%s' is no host's name: it must be 1 to 31 of a-z, 0-9 and -, and not begin with -"
              .formatted(shown(host.name())));
    }
    if (ClusterHome.RESERVED_NAMES.contains(host.name())) {
      throw ClusterException.wrongValue(
          "no host can be called '%s': a folder of the cluster is; take another of a-z, 0-9 and -"
              .formatted(host.name()));
    }
    requireAddress(host);
    if (host.slots() > MAX_SLOTS) {
      throw ClusterException.wrongValue(
          "%s has %d slots; a host has %d at most".formatted(host.name(), host.slots(), MAX_SLOTS));
    }
    if (host.roles().contains(HostRole.SUPERVISOR) != host.slots() > 0) {
      throw ClusterException.wrongValue(
          host.name()
              + " has "
              + host.slots()
              + " slots: a supervisor needs at least one, and nobody else has any");
    }
  }

  private static void requireAddress(Host host) {
    if (host.address() == null || host.address().isBlank()) {
      throw ClusterException.wrongValue(
          host.name() + " has no address; it needs one, such as 'address: 192.168.7.1'");
    }
    if (!ADDRESS.matcher(host.address()).matches()) {
      throw ClusterException.wrongValue(
          "%s has the address '%s'; it must be a name or a number, such as 192.168.7.1"
              .formatted(host.name(), shown(host.address())));
    }
  }

  /** Returns a cluster with all roles on this machine, on 127.0.0.1 and ports that are free now. */
  public static ClusterSpec onThisMachine(int slots, boolean secure, int workerHeapMegabytes) {
    Host host =
        new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.allOf(HostRole.class), slots);
    return new ClusterSpec(
        List.of(host), ClusterPorts.free(slots), secure, workerHeapMegabytes, "");
  }

  /**
   * Reads the hosts of a file.
   *
   * @throws ClusterException if the file cannot be read, or the roles do not make a cluster
   */
  public static ClusterSpec of(Path file, boolean secure, int workerHeapMegabytes) {
    requireHeap(workerHeapMegabytes); // First, as this is no fault of the file.
    try {
      if (Files.exists(file) && (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES)) {
        throw ClusterException.wrongValue(
            "this is no file of hosts: it is a folder, a pipe or a device, or has more than %d bytes"
                .formatted(MAX_BYTES));
      }
      HostsFile read = YAML.readValue(file.toFile(), HostsFile.class);
      if (read == null || read.reach() == null || !read.hasHosts()) {
        throw ClusterException.wrongValue(
            "no line '"
                + (read == null || read.reach() == null
                    ? "reach:' (with ssh or namespace)"
                    : "hosts:' with hosts")
                + "; docs/cluster.md shows one");
      }
      List<Host> hosts = hosts(file, read);
      int max = Math.min(MAX_SLOTS, hosts.stream().mapToInt(Host::slots).max().orElse(0));
      return new ClusterSpec(
          hosts,
          ClusterPorts.wellKnown(secure, max),
          secure,
          workerHeapMegabytes,
          read.checkpoints());
    } catch (IOException e) {
      throw e instanceof JsonProcessingException wrong
          ? ClusterException.wrongValue(file + ": " + where(file, wrong) + why(wrong), e)
          : new ClusterException(file + " cannot be read: " + e.getMessage(), e);
    } catch (ClusterException e) {
      throw e.isWrongValue() ? ClusterException.wrongValue(file + ": " + e.getMessage(), e) : e;
    }
  }

  private static List<Host> hosts(Path file, HostsFile read) throws IOException {
    String config = read.ssh() == null ? "" : sshConfig(file, read.ssh()).toString();
    List<Host> hosts = new ArrayList<>();
    for (HostsFile.Line line : read.hosts()) {
      try {
        Host host =
            new Host(
                line.name(),
                read.reach(),
                config,
                line.address(),
                line.distinctRoles(),
                line.slots());
        require(host);
        hosts.add(host);
      } catch (ClusterException e) {
        int at = lines(file).get("/hosts/" + hosts.size());
        throw ClusterException.wrongValue("line %d: %s".formatted(at, e.getMessage()), e);
      }
    }
    return hosts;
  }

  /**
   * Returns the line of each key and value, from 1 on, by its JSON pointer; after a syntax error
   * there are no more.
   */
  private static Map<String, Integer> lines(Path file) {
    Map<String, Integer> lines = new HashMap<>();
    try (JsonParser parser = YAML.createParser(file.toFile())) {
      while (parser.nextToken() != null) {
        lines.putIfAbsent(
            parser.getParsingContext().pathAsPointer().toString(),
            parser.currentTokenLocation().getLineNr());
      }
    } catch (IOException e) {
      return lines;
    }
    return lines;
  }

  /**
   * Returns the place of an error for a message: the line and, if it is known, the key, as {@code
   * hosts[1].slots}.
   */
  private static String where(Path file, JsonProcessingException e) {
    StringBuilder key = new StringBuilder();
    StringBuilder pointer = new StringBuilder();
    boolean isSyntax = e.getCause() instanceof JsonProcessingException;
    if (e instanceof JsonMappingException mapping && !isSyntax) {
      for (JsonMappingException.Reference step : mapping.getPath()) {
        boolean isIndex = step.getIndex() >= 0;
        key.append(isIndex ? "[" + step.getIndex() + "]" : "." + step.getFieldName());
        pointer.append('/').append(isIndex ? step.getIndex() : step.getFieldName());
      }
    }
    Integer line = key.isEmpty() ? null : lines(file).get(pointer.toString());
    if (line == null && e.getLocation() != null) {
      line = e.getLocation().getLineNr();
    }
    return (line == null ? "" : "line " + line + ": ")
        + (key.isEmpty() ? "" : "'" + key.substring(1) + "': ");
  }

  private static String why(JsonProcessingException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      return "there is no such key; keys here are " + unknown.getKnownPropertyIds();
    }
    if (e instanceof ValueInstantiationException && e.getCause() != null) {
      return e.getCause().getMessage();
    }
    if (e instanceof MismatchedInputException mismatch) {
      Class<?> type = mismatch.getTargetType();
      String right =
          type == int.class
              ? "a whole number"
              : type == String.class
                  ? "a word"
                  : type == List.class ? "a list, as [a, b]" : "keys with values, as 'name: two'";
      return "the value must be " + right + "; docs/cluster.md shows how";
    }
    return "this is no YAML: keys with a colon behind them, indented by spaces, are needed";
  }

  /**
   * Returns the configuration file of ssh. Its ProxyCommand is run on this machine, so the file
   * must be the user's own.
   */
  private static Path sshConfig(Path file, String named) throws IOException {
    Path config = file.toAbsolutePath().resolveSibling(named);
    boolean isNamed = named.startsWith("/") || !named.contains("/");
    if (!isNamed || !Files.isRegularFile(config) || !Files.getOwner(config).equals(user())) {
      throw ClusterException.wrongValue(
          "'ssh: %s' can run commands; it must name a file of your own, beside this one or by its whole path"
              .formatted(shown(named)));
    }
    return config;
  }

  /**
   * Returns who runs this process, by the owner of a new file: the name that the JVM knows need not
   * be a user's.
   */
  private static UserPrincipal user() throws IOException {
    Path own = Files.createTempFile("cartostream-owner", "");
    try {
      return Files.getOwner(own);
    } finally {
      Files.delete(own);
    }
  }

  /** Returns true if checkpoints are in a bucket, which belongs to no host. */
  public boolean storesInBucket() {
    return checkpoints.startsWith(S3);
  }

  public Host hostOf(HostRole role) {
    return hosts.stream().filter(host -> host.roles().contains(role)).findFirst().orElseThrow();
  }

  public String addressOf(HostRole role) {
    return hostOf(role).address();
  }

  public int slots() {
    return hosts.stream().mapToInt(Host::slots).sum();
  }

  String json() throws JsonProcessingException {
    return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
  }

  static ClusterSpec read(Path file) throws IOException {
    return new ObjectMapper()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .readValue(file.toFile(), ClusterSpec.class);
  }
}
