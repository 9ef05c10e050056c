package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script that makes hosts refuses. */
@Default
class NetworkHostsIT {

  private static final String NAME = "none" + ProcessHandle.current().pid();

  @ParameterizedTest
  @ValueSource(strings = {"x", "0", "254", "-1", "3 "})
  void makesNothingOfWhatIsNoNumberOfHosts(String count) throws Exception {
    assertThat(said("up", NAME, count))
        .isEqualTo("network-hosts: '" + count + "' must be a number of hosts, from 1 to 253\n");
  }

  /** They could be ended by nobody who looks for them in their host. */
  @Test
  void keepsAHostInWhichSomethingRuns(@TempDir Path folder) throws Exception {
    Optional<NetworkHosts> hosts = NetworkHosts.up(folder, NAME, 2, 1);
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Process server =
        new ProcessBuilder("ip", "netns", "exec", NAME + "-2", "sh", "-c", "echo runs; exec cat")
            .start();
    try {
      assertThat(server.getInputStream().read()).as("it runs").isEqualTo('r');
      assertThat(said("down", NAME))
          .isEqualTo(
              ("network-hosts: in %s-2 there are still processes: %d; end them first, a cluster's by"
                      + " 'cartostream cluster down'\n")
                  .formatted(NAME, server.pid()));
      assertThat(said("down", NAME)).as("both hosts are there still").contains(NAME + "-2");
    } finally {
      server.destroyForcibly().waitFor();
    }
    hosts.get().close();
  }

  @AfterEach
  void down() throws Exception {
    said("down", NAME);
  }

  private static String said(String... words) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(
                Stream.of(Logs.ROOT.resolve("scripts/network-hosts").toString()), Stream.of(words))
            .collect(Collectors.toList());
    Process script = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    script.waitFor();
    return said;
  }
}
