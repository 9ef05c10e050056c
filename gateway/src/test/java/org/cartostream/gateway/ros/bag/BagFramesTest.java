package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bags whose frames are no tree. Odometry is 'odom' to 'base_link', the laser at its origin. */
@Quick
@Timeout(30)
class BagFramesTest {

  private static final int SCANS = 7;

  @TempDir private Path folder;

  private record Outcome(List<LogEntry> entries, List<String> notices) {}

  private Outcome read(boolean fixed, String parent, String child, double x) throws IOException {
    byte[] bytes = SmallBag.withTransform(SCANS, fixed, parent, child, x);
    Path bag = Files.write(folder.resolve("my.bag"), bytes);
    try (BagLog log = BagLog.open(List.of(bag), Settings.defaults(RosSettings.class))) {
      List<LogEntry> entries = new ArrayList<>();
      log.forEachRemaining(entries::add);
      return new Outcome(entries, log.notices());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, mast, laser, the frame 'laser' has several parents",
    "true, mast, base_link, the frame 'base_link' has several parents",
    "false, odom_combined, base_link, the frame 'base_link' has several parents",
    "false, odom_combined, laser, the frame 'laser' has several parents",
  })
  void areUsedWhereOneWayLeadsToTheBaseAndTheLaser(
      boolean fixed, String parent, String child, String sentence) throws IOException {
    Outcome outcome = read(fixed, parent, child, 5);
    assertThat(outcome.entries()).hasSize(SCANS).allMatch(LogEntry.Usable.class::isInstance);
    assertThat(outcome.notices())
        .singleElement()
        .asString()
        .contains(sentence)
        .contains("'" + parent + "'");
  }

  /** Two publishers have the laser in two places. */
  @ParameterizedTest
  @CsvSource({"odom, laser, base_link", "laser, base_link, odom"})
  void areRefusedWhereSeveralWaysContradictEachOther(
      String parent, String child, String otherParent) throws IOException {
    Outcome outcome = read(true, parent, child, 5);
    assertThat(outcome.entries()).hasSize(SCANS);
    assertThat(outcome.entries().get(3).toString())
        .contains("No transform gives the laser's place")
        .contains("no single way leads from 'base_link' to 'laser'")
        .contains("the frame '" + child + "' has several parents")
        .contains("'" + parent + "'")
        .contains("'" + otherParent + "'");
  }

  @Test
  void areSilentlyUsedWhereTheyAreATree() throws IOException {
    Outcome outcome = read(true, "laser", "mirror", 5);
    assertThat(outcome.entries()).hasSize(SCANS).allMatch(LogEntry.Usable.class::isInstance);
    assertThat(outcome.notices()).isEmpty();
  }

  @Test
  void areNamedWhereTheyRunInACircle() throws IOException {
    Outcome outcome = read(true, "laser", "odom", 5);
    assertThat(outcome.entries()).hasSize(SCANS);
    assertThat(outcome.notices()).isNotEmpty().allMatch(notice -> notice.contains("circle"));
  }
}
