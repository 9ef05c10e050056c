package org.cartostream.web.foxglove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.server.WebAddress;
import org.cartostream.web.server.WebServer;
import org.cartostream.web.state.ObservedRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that are not ours find, subscribe to and decode a run's topics. */
@Default
class FoxgloveIT {

  private static final Path TOOLS =
      Path.of(System.getProperty("user.home"), ".cache", "cartostream");
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @TempDir private Path folder;

  private static void process(RunObserver observer, long number) {
    Scan scan = new Scan(new Pose(0.25, 0, 0), -1, 1, 0.1, 8, new float[] {1, 2, 3.5f});
    observer.outcome(
        number,
        new Reading(number * SECOND, Pose.ORIGIN, scan),
        new Outcome.Processed(new RobotPose(new Pose(4.5, 0, 0), Correction.NONE, 1, 0), false, 1));
  }

  /** By an address: what this computer is called need not lead to it. */
  private static String url(WebServer server) {
    return server.url().replaceFirst("http://[^:]+", "ws://127.0.0.1");
  }

  private static String rosbags() throws Exception {
    try (Stream<Path> found =
        Files.find(
            TOOLS.resolve("rosbags/lib"), 3, (path, any) -> path.endsWith("site-packages"))) {
      return found.findFirst().orElseThrow().toString();
    }
  }

  /** At an address that others can reach a token is needed, which stands in the URL. */
  @ParameterizedTest
  @CsvSource({
    "foxglove.websocket.v1, 127.0.0.1",
    "foxglove.sdk.v1, 127.0.0.1",
    "foxglove.sdk.v1, 0.0.0.0"
  })
  void aClientDecodesWhatIsDrawn(String protocol, String host) throws Exception {
    Path python = TOOLS.resolve("websockets/bin/python");
    for (Path tool : List.of(python, TOOLS.resolve("rosbags/bin/python"))) {
      assumeTrue(Files.exists(tool), "there is no " + tool + ": scripts/test puts it there");
    }
    List<String> said =
        said(host, List.of(python.toString()), "client.py", List.of(protocol, rosbags()));
    assertThat(said)
        .contains(
            "protocol " + protocol,
            "op serverInfo Cartostream",
            "channels 14",
            "map 3 1 [-1, 0, 100]",
            "mount 0.25",
            "pose map 4.5",
            "particles map [1.0, -2.0]",
            "loops map 5 [1.0, 2.0, 3.0, 4.0]",
            "status 'getParameters' is not served here")
        .anyMatch(line -> line.matches("scan \\d+000000000 \\[1.0, 2.0, 3.5\\]"));
  }

  /** The one that Foxglove has written for others. */
  @Test
  void foxglovesOwnClientDecodesWhatIsDrawn() throws Exception {
    Path modules = TOOLS.resolve("ws-protocol/node_modules");
    assumeTrue(
        Files.exists(modules.resolve("@foxglove/ws-protocol")),
        "there is no " + modules + ": scripts/test puts it there, if there is npm");
    List<String> said =
        said("127.0.0.1", List.of("node"), "client.cjs", List.of(), modules.toString());
    assertThat(said)
        .contains(
            "protocol foxglove.websocket.v1",
            "channels 14",
            "map 3 1 -1,0,100",
            "pose map 4.5",
            "particles map 1 1 -2",
            "loops map 5 1,2,3,4",
            "scan 1,2,3.5")
        .anyMatch(line -> line.startsWith("server Cartostream"));
  }

  /** What a client prints, while a run goes on: {@code COMMAND SCRIPT BEFORE URL AFTER}. */
  private List<String> said(
      String host, List<String> command, String name, List<String> after, String... before)
      throws Exception {
    Path script = folder.resolve(name);
    try (InputStream text = FoxgloveIT.class.getResourceAsStream(name)) {
      Files.copy(text, script);
    }
    Path said = folder.resolve("said");
    try (WebServer server = WebServer.start(new WebAddress(host, 0), new ObservedRun(), Map.of())) {
      RunObserver run = server.observer();
      run.begin("r1", 1000);
      process(run, 1);
      run.map(new OccupancyGrid(3, 1, 0.05, 0, 0, new byte[] {-1, 0, 100}), 0, SECOND);
      StampedPose first = new StampedPose(1, new Pose(1, 2, 0));
      run.loops(List.of(new ClosedLoop(first, new StampedPose(2, new Pose(3, 4, 0)))), SECOND);
      List<String> all = new ArrayList<>(command);
      all.add(script.toString());
      all.addAll(List.of(before));
      all.add(url(server));
      all.addAll(after);
      Process client =
          new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(said.toFile()).start();
      // The map and the mount came before it did; of scans it is told those that come now.
      for (long number = 2; !client.waitFor(20, TimeUnit.MILLISECONDS); number++) {
        process(run, number);
        run.particles(
            new ParticlesMessage(List.of(new Pose(1, -2, 0)), List.of(0)), number * SECOND);
        assertThat(number).as(Files.readString(said)).isLessThan(3000);
      }
      assertThat(client.exitValue()).as(Files.readString(said)).isZero();
    }
    return Files.readAllLines(said);
  }
}
