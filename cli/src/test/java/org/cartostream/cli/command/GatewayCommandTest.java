package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command refuses before it joins a graph. */
@Quick
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

  private static Path parameters(Path folder, String... lines) throws Exception {
    String all = String.join("\n    ", lines);
    return Files.writeString(
        folder.resolve("slam.yaml"),
        "slam_toolbox:\n  ros__parameters:\n    mode: localization\n    " + all + "\n");
  }

  private static Cartostream localises(Path file, Object... more) {
    Object[] command = {"gateway", "--robot", "r", "--ros2", "--params-file", file};
    return Cartostream.run(Stream.of(command, more).flatMap(Stream::of).toArray());
  }

  @Test
  void slamToolboxsLocalizationNeedsAMapThatIsThere(@TempDir Path folder) throws Exception {
    Cartostream none = localises(parameters(folder, "resolution: 0.05"));
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.complaint()).contains("mode is 'localization', and no map_file_name");
    Path office = folder.resolve("office");
    Cartostream missing = localises(parameters(folder, "map_file_name: " + office));
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.complaint())
        .contains("there is no '" + office + ".yaml'", ".posegraph cannot be read");
  }

  @Test
  void slamToolboxsLocalizationTakesItsMapAndItsStart(@TempDir Path folder) throws Exception {
    Path pgm = folder.resolve("office.pgm");
    Files.writeString(pgm, "P2 3 3 255 254 254 254 254 254 254 254 254 254\n");
    Path yaml = folder.resolve("office.yaml");
    Files.writeString(yaml, "image: office.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    String name = "map_file_name: " + folder.resolve("office");
    Cartostream beside = localises(parameters(folder, name), "--out", folder);
    assertThat(beside.exitCode()).isEqualTo(2);
    assertThat(beside.complaint()).contains("holds '" + yaml + "', which");
    Cartostream two = localises(parameters(folder, name, "map_start_pose: [1.0, 2.0]"));
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.complaint()).startsWith("map_start_pose [1.0, 2.0]: three numbers are needed");
  }

  @Test
  void whatDoesNotGoWithAStateIsNamed(@TempDir Path folder) {
    Object[] replay = {"replay", Logs.OFFICE, "--engine", "serial", "--limit", 3};
    Object[] robot = {"--robot", "r", "--particles", 2, "--out", folder};
    Cartostream.run(Stream.of(replay, robot).flatMap(Stream::of).toArray());
    Path state = folder.resolve("run.state");
    Object[] elsewhere = {"gateway", "--continue", state, "--broker", "amqp://127.0.0.1:1"};
    assertThat(named(elsewhere, "--robot", "r"))
        .startsWith("--continue: the service must run here to take the state");
    assertThat(named(elsewhere, "--robot", "r", "--at", "anywhere"))
        .startsWith("--continue: the service must run here to take the state");
    assertThat(named(elsewhere, "--robot", "r", "--at", "somewhere"))
        .startsWith("--at somewhere: three numbers are needed")
        .endsWith("; or 'anywhere', if nobody knows");
    assertThat(named(elsewhere, "--robot", "other")).contains("the state is that of 'r'");
    assertThat(named(elsewhere, "--robot", "r", "--out", folder))
        .contains("holds '" + state + "', which");
  }

  private static String named(Object[] command, Object... more) {
    Cartostream ended = Cartostream.run(Stream.of(command, more).flatMap(Stream::of).toArray());
    assertThat(ended.exitCode()).isEqualTo(2);
    return ended.complaint();
  }

  @Test
  void aStateThatCannotBeGoneOnWithIsNamed(@TempDir Path folder) throws Exception {
    Path none = Files.writeString(folder.resolve("run.state"), "nothing");
    Cartostream ended = Cartostream.run("gateway", "--robot", "r", "--continue", none);
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.complaint()).contains("is no state of a run");
    Cartostream both =
        Cartostream.run("gateway", "--robot", "r", "--continue", none, "--localise", "m.yaml");
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.complaint()).contains("a run makes its map, or is found in one");
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
