package org.cartostream.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How {@code scripts/test} installs packages on a machine that has a policy of its own for starting
 * services. Nothing is installed: the tools for it are others, and only that part of the script
 * runs.
 */
@Default
class InstallScriptIT {

  private static final Path SCRIPT =
      Path.of(System.getProperty("cartostream.root", "..")).resolve("scripts/test");

  @TempDir private Path folder;
  private Path pid;

  @BeforeEach
  void pretend() throws IOException {
    pid = folder.resolve("pid");
    Files.writeString(folder.resolve("policy"), "");
    tool("id", "echo 0");
    tool("service", "echo \"$@\" >>" + folder.resolve("asked"));
    tool("apt-get", "case \"$*\" in *rabbitmq-server*) touch " + pid + ";; esac");
  }

  private void tool(String name, String does) throws IOException {
    Path tool = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + does + "\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void leavesTheMachinesOwnRabbitMqAlone() throws Exception {
    Files.writeString(pid, "");
    install("nftables");
    install("rabbitmq-server");
    assertThat(folder.resolve("asked")).doesNotExist();
  }

  @Test
  void leavesARabbitMqAloneThatWasStartedMeanwhile() throws Exception {
    tool("apt-get", "touch " + pid);
    install("nftables");
    assertThat(folder.resolve("asked")).doesNotExist();
  }

  @Test
  void stopsTheServiceThatItsPackageHasStarted() throws Exception {
    install("rabbitmq-server");
    assertThat(folder.resolve("asked")).hasContent("rabbitmq-server stop");
  }

  private void install(String what) throws IOException, InterruptedException {
    String part =
        """
        eval "$(sed -n '/^say()/p; /^# Where Debian keeps/,/^has_rabbitmq()/p' "$1")"
        policy=$2/policy rabbitmq_pid=$2/pid
        install "$3"
        """;
    ProcessBuilder script =
        new ProcessBuilder("bash", "-c", part, "bash", SCRIPT.toString(), folder.toString(), what);
    script.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
    assertThat(script.inheritIO().start().waitFor()).isZero();
  }
}
