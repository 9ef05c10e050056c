package org.cartostream.gateway.ros;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.ros.local.FakeNode;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.RosString;
import org.cartostream.ros.message.SaveMap;
import org.cartostream.ros.message.Trigger;
import org.cartostream.settings.Settings;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class MapServerTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private final FakeNode node = new FakeNode(Map.of(), Map.of());

  private Trigger.Response save() {
    return node.call("cartostream/save_map", new Trigger.Request());
  }

  private SaveMap.Response saveAs(String name) {
    return node.call("slam_toolbox/save_map", new SaveMap.Request(new RosString(name)));
  }

  private static OccupancyGrid map(int side) {
    return new OccupancyGrid(side, side, 0.05, 0, -side, new byte[side * side]);
  }

  /** Nobody could tell that they are of another run. */
  @Test
  void leavesNoPictureAndNoPathOfAnOlderRunBesideTheMapThatItSaves() throws Exception {
    MapServer desk = new MapServer(node, Settings.defaults(RosSettings.class), folder, false);
    Path picture = Files.writeString(folder.resolve("map.png"), "yesterday's");
    Path path = Files.writeString(folder.resolve("trajectory.tum"), "yesterday's");
    assertThat(save().success()).as("saved without a map").isFalse();
    assertThat(picture).exists();
    desk.update(map(2), 1);
    assertThat(save().success()).isTrue();
    assertThat(folder.resolve("map.pgm")).exists();
    assertThat(picture).doesNotExist();
    assertThat(path).doesNotExist();
  }

  @Test
  void savesUnderTheNameThatSlamToolboxIsTold() throws Exception {
    MapServer desk = new MapServer(node, Settings.defaults(RosSettings.class), folder, false);
    assertThat(saveAs("floor")).isEqualTo(SaveMap.Response.NO_MAP);
    desk.update(map(2), 1);
    assertThat(saveAs("floor")).isEqualTo(SaveMap.Response.SUCCESS);
    assertThat(folder.resolve("floor.pgm")).exists();
    assertThat(folder.resolve("floor.yaml")).content().startsWith("image: floor.pgm\n");
    assertThat(saveAs("")).isEqualTo(SaveMap.Response.SUCCESS);
    assertThat(folder.resolve("map.yaml")).content().startsWith("image: map.pgm\n");
  }

  /** Anybody in the graph may ask. */
  @Test
  void writesNothingOutsideTheRobotsFolder() {
    MapServer desk =
        new MapServer(node, Settings.defaults(RosSettings.class), folder.resolve("robot"), false);
    desk.update(map(2), 1);
    for (String name : List.of("../floor", folder.resolve("floor").toString(), "..", "a/b")) {
      assertThat(saveAs(name)).as(name).isEqualTo(SaveMap.Response.FAILURE);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void hasTheNewestMapByBothNamesOfTheService() {
    MapServer desk = new MapServer(node, Settings.defaults(RosSettings.class), folder, false);
    desk.update(map(2), 1);
    desk.update(map(3), 2);
    for (String service : List.of("dynamic_map", "slam_toolbox/dynamic_map")) {
      GetMap.Response answer = node.call(service, new GetMap.Request());
      assertThat(answer.map().info().width()).as(service).isEqualTo(3);
    }
  }

  /** Else an older map could replace the last one, or the files be of two maps. */
  @Test
  void savesTheMapThatIsTheNewestWhenItsTurnComes() throws Exception {
    MapServer desk = new MapServer(node, Settings.defaults(RosSettings.class), folder, false);
    assertThat(save().success()).as("saved without a map").isFalse();
    desk.update(map(2), 1);
    Thread saves = new Thread(this::save);
    desk.write(
        sink -> {
          saves.start();
          await().atMost(SOON).until(() -> saves.getState() == Thread.State.BLOCKED);
          desk.update(map(3), 2);
          sink.end(map(2));
        });
    saves.join(SOON.toMillis());
    assertThat(Files.readString(folder.resolve("map.pgm"), ISO_8859_1)).contains("\n3 3\n");
    assertThat(folder.resolve("map.yaml")).content().contains("-3.000000");
  }
}
