package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script that makes hosts does not begin with; it needs no rights for that. */
class NetworkHostsTest {

  private static final String NAME = "none" + ProcessHandle.current().pid();

  @ParameterizedTest
  @ValueSource(strings = {"x", "0", "254", "-1", "3 "})
  void makesNothingOfWhatIsNoNumberOfHosts(String count) throws Exception {
    assertThat(said("up", NAME, count))
        .isEqualTo("network-hosts: '" + count + "' must be a number of hosts, from 1 to 253\n");
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
