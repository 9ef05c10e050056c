package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.JsonSchema;
import org.cartostream.cli.Main;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.HealthResult;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ClusterProcesses;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Default(cluster = true)
class ClusterUpIT {

  private static final Host HERE =
      new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.allOf(HostRole.class), 1);

  @TempDir private Path folder;

  @BeforeEach
  void needsRabbitMq() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
  }

  @Test
  void deletesCheckpointsOnlyIfToldTo() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    Path kept = checkpointIn(home);

    Cartostream refused = Cartostream.run("cluster", "down", "--home", home.folder());

    assertThat(refused.complaint())
        .isEqualTo(
            "the cluster has checkpoints on here, which go with it, and nothing was done: --yes"
                + " deletes them");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(kept).exists();
    assertThat(Cartostream.run("cluster", "down", "--yes", "--home", home.folder()).exitCode())
        .isZero();
    assertThat(home.folder()).doesNotExist();
  }

  /** Makes a cluster that has one, though none of its servers runs. */
  private static Path checkpointIn(ClusterHome home) throws Exception {
    home.claim();
    home.create(ClusterSpec.onThisMachine(1, false, 256));
    Path kept = Files.createDirectories(home.checkpoints().resolve("mine/r1")).resolve("manifest");
    return Files.writeString(kept, "of an hour");
  }

  @Test
  void asksAtATerminalBeforeItDeletesCheckpoints() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    Path kept = checkpointIn(home);

    assertThat(downAtATerminal(home, "y")).as("no more than a letter").isEqualTo(2);
    assertThat(kept).exists();
    assertThat(downAtATerminal(home, "yes")).isZero();
    assertThat(home.folder()).doesNotExist();
  }

  /** The exit code, after the question got an answer. */
  private int downAtATerminal(ClusterHome home, String answer) throws Exception {
    Path shown = folder.resolve(answer);
    String[] terminal = {"bash", "-c", "exec script -qec \"${*@Q}\" /dev/null", "bash"};
    Process down =
        CartostreamProcess.startBehind(
            terminal,
            shown,
            Map.of("SHELL", "/bin/bash"),
            "cluster",
            "down",
            "--home",
            home.folder());
    try (Writer keys = down.outputWriter()) {
      String question = "This deletes the checkpoints on here. Type yes to go on: ";
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.readString(shown).endsWith(question));
      keys.write(answer + "\n");
      keys.flush();
      return down.waitFor();
    } finally {
      down.destroyForcibly();
    }
  }

  @Test
  void aClusterWithoutCheckpointsGoesUnasked() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    home.claim();
    home.create(ClusterSpec.onThisMachine(1, false, 256));

    Cartostream status = Cartostream.run("cluster", "status", "--json", "--home", home.folder());
    JsonSchema.check("status", status.out());
    assertThat(status.exitCode()).as("nothing runs").isEqualTo(1);
    HealthResult ill = new HealthResult("broker", "it does not answer", "'cluster revive'");
    StringWriter health = new StringWriter();
    JsonOption.print(new PrintWriter(health), Map.of("healthy", false, "parts", List.of(ill)));
    JsonSchema.check("health", health.toString());

    assertThat(Cartostream.run("cluster", "down", "--home", home.folder()).exitCode()).isZero();

    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void aWrongValueIsWrongUsage() throws Exception {
    Path hosts = Files.writeString(folder.resolve("hosts.yaml"), "reach: pigeon");
    Object[] up = {"cluster", "up", "--home", folder.resolve("cluster")};

    Cartostream heap = Cartostream.run(up[0], up[1], up[2], up[3], "--worker-heap", 0);
    Cartostream reach = Cartostream.run(up[0], up[1], up[2], up[3], "--hosts", hosts);

    assertThat(heap.complaint()).isEqualTo("a worker's heap of 0 MB is too small: 128 at least");
    assertThat(heap.exitCode()).isEqualTo(2);
    assertThat(reach.complaint())
        .isEqualTo(hosts + ": line 1: 'reach': 'pigeon' is no way to a host: take ssh");
    assertThat(reach.exitCode()).isEqualTo(2);
  }

  @Test
  void leavesNothingBehindWhenItsStartIsInterrupted() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "cluster",
                "up",
                "--home",
                home.folder().toString())
            .redirectErrorStream(true);
    command.environment().remove("JAVA_TOOL_OPTIONS"); // Of it, Java says a word.
    Process up = command.start();
    try (BufferedReader said = up.inputReader()) {
      assertThat(said.readLine()).startsWith("zookeeper on here listens at 127.0.0.1");
      up.toHandle().destroy(); // SIGTERM; what it has said can still be read

      assertThat(said.lines().toList()).last().asString().startsWith("cartostream: interrupted");
      assertThat(up.waitFor()).isEqualTo(128 + 15);
    } finally {
      up.destroyForcibly();
      if (home.exists()) {
        Cluster.at(home).down();
      }
    }
    assertThat(new ClusterProcesses(home, HERE).pids()).isEmpty();
    assertThat(home.folder()).doesNotExist();
  }
}
