package org.cartostream.ros.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts with a link between them and to nobody else: network namespaces of this machine, with
 * the addresses 10.99.0.1 and 10.99.0.2. Owns them.
 */
public final class TwoHosts implements AutoCloseable {

  /** Of the first. */
  public static final String FIRST_ADDRESS = "10.99.0.1";

  private static final long SECONDS = 60;

  private final String first = "ros2-a-" + ProcessHandle.current().pid();
  private final String second = "ros2-b-" + ProcessHandle.current().pid();

  private TwoHosts() {}

  /** Why there can be none here, as a sentence; empty if there can. */
  public static Optional<String> missing() {
    String user = System.getProperty("user.name");
    for (String needed : List.of("/usr/sbin/nft", "/usr/sbin/ip")) {
      if (!user.equals("root") || !Files.exists(Path.of(needed))) {
        return Optional.of(
            "network namespaces need root, nft and ip (apt install nftables iproute2); there is "
                + user);
      }
    }
    return Optional.empty();
  }

  /** Makes them. */
  public static TwoHosts up() throws IOException, InterruptedException {
    TwoHosts hosts = new TwoHosts();
    try {
      for (String host : List.of(hosts.first, hosts.second)) {
        run("ip", "netns", "add", host);
        run("ip", "-n", host, "link", "set", "lo", "up");
      }
      run(
          "ip",
          "-n",
          hosts.first,
          "link",
          "add",
          "link0",
          "type",
          "veth",
          "peer",
          "name",
          "link0",
          "netns",
          hosts.second);
      hosts.address(hosts.first, FIRST_ADDRESS + "/24");
      hosts.address(hosts.second, "10.99.0.2/24");
      for (String host : List.of(hosts.first, hosts.second)) {
        while (!run("ip", "-n", host, "link", "show", "link0").contains("state UP")) {
          TimeUnit.MILLISECONDS.sleep(20); // Who starts before that does not see the interface.
        }
      }
      hosts.nft("add table inet link");
      hosts.nft("add chain inet link in { type filter hook input priority 0; }");
      hosts.nft("add chain inet link out { type filter hook output priority 0; }");
      return hosts;
    } catch (IOException | InterruptedException e) {
      hosts.close();
      throw e;
    }
  }

  private void address(String host, String address) throws IOException, InterruptedException {
    run("ip", "-n", host, "address", "add", address, "dev", "link0");
    run("ip", "-n", host, "link", "set", "link0", "up");
  }

  /** So many of a hundred packets are lost on the link, either way; 0 mends it, 100 cuts it. */
  public void lose(int percent) throws IOException, InterruptedException {
    nft("flush chain inet link in");
    nft("flush chain inet link out");
    if (percent > 0) {
      for (String chain : List.of("in iifname", "out oifname")) {
        nft(
            "add rule inet link %s link0 numgen random mod 100 <= %d drop"
                .formatted(chain, percent - 1));
      }
    }
  }

  private void nft(String command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", second, "nft"));
    words.add(command);
    run(words.toArray(String[]::new));
  }

  /** What stands before a command that is to run on the first host. */
  public String[] onFirst() {
    return new String[] {"ip", "netns", "exec", first};
  }

  /** What stands before a command that is to run on the second host. */
  public String[] onSecond() {
    return new String[] {"ip", "netns", "exec", second};
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (String host : List.of(first, second)) {
      if (Files.exists(Path.of("/var/run/netns", host))) {
        run("ip", "netns", "delete", host);
      }
    }
  }
}
