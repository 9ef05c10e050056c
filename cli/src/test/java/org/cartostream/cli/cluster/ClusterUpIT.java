package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.EnumSet;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Main;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.Role;
import org.cartostream.deploy.process.ClusterProcesses;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Default(cluster = true)
class ClusterUpIT {

  private static final Host HERE =
      new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.allOf(Role.class), 1);

  @TempDir private Path folder;

  @BeforeEach
  void needsRabbitMq() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
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
