package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Machines that are reached by ssh: {@link NetworkHosts}, each with a real sshd, and with other
 * files than this machine in one folder. Owns the sshds, and keys that nobody else has.
 */
public final class SshHosts implements AutoCloseable {

  private static final Path SSHD = Path.of("/usr/sbin/sshd");

  private final List<Process> sshds = new ArrayList<>();
  private final NetworkHosts network;
  private final Path keys;
  private final Path folder;

  private SshHosts(NetworkHosts network, Path keys, Path folder) {
    this.network = network;
    this.keys = keys;
    this.folder = folder;
  }

  /** What has to be installed for this to work; empty if nothing is missing. */
  public static Optional<String> missing() {
    return Files.isExecutable(SSHD)
        ? Optional.empty()
        : Optional.of("there is no sshd: apt-get install openssh-server");
  }

  /**
   * Starts an sshd on each host.
   *
   * @param keys for keys and configurations
   * @param folder whose content is another on each host
   */
  public static SshHosts start(NetworkHosts network, Path keys, Path folder) throws Exception {
    SshHosts hosts = new SshHosts(network, keys, folder);
    try {
      hosts.makeKeys();
      for (MatchResult host : hosts.each()) {
        hosts.startSshd(host.group(1), host.group(2));
      }
      return hosts;
    } catch (Exception e) {
      hosts.close();
      throw e;
    }
  }

  /** Name and address of each. */
  private List<MatchResult> each() throws IOException {
    return Pattern.compile("name: (\\S+)\\s+address: (\\S+)")
        .matcher(Files.readString(network.file()))
        .results()
        .toList();
  }

  private void makeKeys() throws IOException, InterruptedException {
    for (String name : List.of("user", "host")) {
      List<String> command =
          new ArrayList<>(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", ""));
      command.addAll(List.of("-f", keys.resolve(name).toString()));
      assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
    StringBuilder known = new StringBuilder();
    for (MatchResult host : each()) {
      known.append(host.group(2)).append(' ').append(Files.readString(keys.resolve("host.pub")));
    }
    Files.writeString(keys.resolve("known_hosts"), known);
    Files.writeString(
        keys.resolve("ssh_config"),
        """
        User %s
        IdentityFile %s
        IdentitiesOnly yes
        UserKnownHostsFile %s
        StrictHostKeyChecking yes
        """
            .formatted(
                System.getProperty("user.name"),
                keys.resolve("user"),
                keys.resolve("known_hosts")));
  }

  private void startSshd(String host, String address) throws IOException {
    Path config = keys.resolve(host + ".sshd_config");
    Files.writeString(
        config,
        """
        ListenAddress %s
        HostKey %s
        AuthorizedKeysFile %s
        StrictModes no
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        PermitRootLogin prohibit-password
        UsePAM no
        PidFile none
        """
            .formatted(address, keys.resolve("host"), keys.resolve("user.pub")));
    // In a mount namespace of its own: other files in the folder, and a /run to which sshd may
    // write.
    String script =
        "mount --bind %s %s && mount -t tmpfs none /run && mkdir /run/sshd && exec %s -D -e -f %s"
            .formatted(files(host), folder, SSHD, config);
    Files.createDirectories(files(host));
    Path log = keys.resolve(host + ".log");
    sshds.add(
        new ProcessBuilder("ip", "netns", "exec", host, "unshare", "--mount", "sh", "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start());
    await().atMost(Duration.ofSeconds(120)).ignoreExceptions().until(() -> answers(address));
  }

  private static boolean answers(String address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, 22), 1000);
      return true;
    }
  }

  /** What a host has where this machine, and every other host, has other files. */
  public Path files(String host) {
    return keys.resolve(host + ".files");
  }

  /** {@code hosts.yaml} for them. */
  public Path file() throws IOException {
    String yaml = Files.readString(network.file());
    return Files.writeString(
        keys.resolve("hosts.yaml"),
        yaml.replace("reach: namespace", "reach: ssh\nssh: ssh_config"));
  }

  @Override
  public void close() throws Exception {
    // One that has just lost its client may still be there beside the one that listens.
    for (ProcessHandle sshd :
        sshds.stream()
            .flatMap(each -> Stream.concat(each.descendants(), Stream.of(each.toHandle())))
            .toList()) {
      sshd.destroy();
      sshd.onExit().join();
    }
    network.close();
  }
}
