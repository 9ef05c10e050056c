package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ShutdownRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command refuses before it joins a graph. */
class GatewayCommandTest {

  @Test
  void refusesAServerThatIsNoAddress() {
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "--rosbridge", "robot:9090");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("robot:9090").contains("ws://robot:9090");
  }

  @Test
  void refusesTwoGraphs() {
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "--ros2", "--ros", "http://r:1");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("one graph only");
  }

  @Test
  void refusesAnInterfaceThatIsNoAddress() {
    Cartostream ended =
        Cartostream.run("gateway", "--robot", "r", "--ros2", "--interface", "no such.address");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("the interface's address").contains("no such.address");
  }

  @Test
  void refusesAFileWithoutParametersOfTheNode(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(folder.resolve("p.yaml"), "amcl:\n  ros__parameters:\n    a: 1\n");
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "--ros2", "--params-file", file);
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("no parameters of /**, slam_toolbox or cartostream");
  }

  @Test
  void refusesAnIdThatIsNone() {
    Cartostream ended = Cartostream.run("gateway", "--robot", "my robot");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("--robot").contains("'my robot'");
  }

  @Test
  void refusesAMasterThatIsNoAddress() {
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "--ros", "turtlebot:11311");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("turtlebot:11311").contains("http://localhost:11311");
  }

  /** Else save_map would strew its files in the folder where the gateway was started. */
  @Test
  void refusesAnOutputFolderWithoutAName() {
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "--out", "");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("the output folder is ''");
  }

  @Test
  void refusesAWordThatIsNoRosArgument() {
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "scan");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("'scan'").contains("scan:=base_scan");
  }

  /** Not only when a robot is there, which may take hours. */
  @Test
  void refusesASettingThatIsNoneBeforeItWaitsForAMaster() {
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    shutdownRequest.request(130);
    Object[] command = {"gateway", "--robot", "r", "--ros", "http://127.0.0.1:1"};
    Object[] wrong = {"--set", "slam.particels=3"};
    Cartostream ended =
        Cartostream.run(shutdownRequest, Stream.of(command, wrong).flatMap(Stream::of).toArray());
    assertThat(ended.complaint()).contains("did you mean 'slam.particles'?");
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void endsWhileItWaitsForAMaster() {
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    shutdownRequest.request(130);
    Cartostream ended =
        Cartostream.run(shutdownRequest, "gateway", "--robot", "r", "--ros", "http://127.0.0.1:1");
    assertThat(ended.exitCode()).isEqualTo(130);
    assertThat(ended.out()).contains("no robot was there: no ROS");
  }
}
