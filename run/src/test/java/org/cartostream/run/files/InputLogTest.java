package org.cartostream.run.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.run.Logs;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogFormat;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class InputLogTest {

  private static final RootSettings DEFAULTS = Settings.defaults(RootSettings.class);

  @TempDir private Path folder;

  /** Logs by the names of their formats. */
  private Map<String, Path> logs() throws IOException {
    Path bags = Logs.ROOT.resolve("gateway/src/test/resources/org/cartostream/gateway/ros/bag");
    return Map.of(
        "bag", bags.resolve("mcap/none.mcap"),
        "g2o file", Logs.file(folder, Logs.officeWithALoopEdge(3)),
        "CARMEN log", Logs.OFFICE);
  }

  private List<String> notices(String format, RootSettings settings) throws IOException {
    List<String> notices = new ArrayList<>();
    try (LaserLog log = InputLog.open(List.of(logs().get(format)), settings, notices::add)) {
      assertThat(log.hasNext()).isTrue();
    }
    return notices;
  }

  @Test
  void opensALogByItsFormatAlthoughOthersComeBeforeOrTakeItToo() throws IOException {
    for (Map.Entry<String, Path> each : logs().entrySet()) {
      LogFormat format = InputLog.formatOf(each.getValue(), InputLog.formats(DEFAULTS));
      assertThat(format.name()).isEqualTo(each.getKey());
      try (LaserLog log = format.open(List.of(each.getValue()))) {
        assertThat(log.reference().isEmpty()).isNotEqualTo(format.holdsReference());
      }
      assertThat(notices(format.name(), DEFAULTS)).isEmpty();
    }
  }

  /** Also shows that each of the keys is one. */
  @Test
  void namesSettingsThatChangeNothing() throws IOException {
    Map<String, String> changed =
        Map.of(
            "ros.bagScanTopic", "/scan",
            "ros.bagOdometryTopic", "/odom",
            "ros.laserLagSeconds", "0.1",
            "carmen.flaserDegrees", "180");
    assertThat(InputLog.formats(DEFAULTS))
        .flatExtracting(LogFormat::heeds)
        .hasSameElementsAs(changed.keySet());
    RootSettings settings = Settings.with(DEFAULTS, changed);
    for (String text : List.of("g2o file", "CARMEN log")) {
      assertThat(notices(text, settings))
          .containsExactly(
              "ros.bagScanTopic changes nothing: the log is no bag",
              "ros.bagOdometryTopic changes nothing: the log is no bag",
              "ros.laserLagSeconds changes nothing: the log is no bag");
    }
    assertThat(notices("bag", Settings.with(DEFAULTS, Map.of("carmen.flaserDegrees", "180"))))
        .containsExactly(
            "carmen.flaserDegrees changes nothing: the log is no g2o file or CARMEN log");
  }

  @Test
  void refusesWhatIsNoLogAndSaysWhatIsOne() throws IOException {
    String known = InputLog.known(format -> true);
    assertThat(known)
        .startsWith("a ROS bag, an MCAP file, a folder or file of rosbag2, ")
        .contains("a g2o file with scans")
        .endsWith("a CARMEN log (lines that begin with FLASER, ROBOTLASER1 or RAWLASER1)");
    assertRefused("", "is empty; one of these is needed: " + known);
    assertRefused(
        "\n\u0007Dear diary,\nno scan.\n",
        "is no log (its first line is \"?Dear diary,\"); one of these is needed: " + known);
    assertRefused("BZh91AY", "is packed by bzip2; unpack it by bunzip2, or pack it by gzip");
  }

  private void assertRefused(String text, String why) throws IOException {
    Path file = Files.writeString(folder.resolve("x"), text);
    assertThatThrownBy(() -> InputLog.open(List.of(file), DEFAULTS))
        .isInstanceOf(FileFormatException.class)
        .hasMessage(file + " " + why);
  }

  @Test
  void refusesFilesOfSeveralFormatsAsOneLog() throws IOException {
    List<Path> logs = List.of(logs().get("CARMEN log"), logs().get("g2o file"));
    assertThatThrownBy(() -> InputLog.open(logs, DEFAULTS))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("office.clf is a CARMEN log and ")
        .hasMessageContaining("my.clf is a g2o file; several files as one log must be of one kind");
  }
}
