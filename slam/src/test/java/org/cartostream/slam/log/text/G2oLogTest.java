package org.cartostream.slam.log.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class G2oLogTest {

  private static final String INFORMATION = " 500 0 0 500 0 5000\n";
  private static final String QUARTER = "1.5707963267948966";

  @TempDir private Path folder;

  @Test
  void chainsSequentialEdgesThatStandInAnyOrderBehindTheScans() throws IOException {
    String text =
        vertex(2, 9)
            + vertex(0, 5)
            + vertex(1, 7)
            + edge(1, 2, "3 0 0")
            + edge(2, 0, "-1 -1 0")
            + edge(0, 1, "2 0 " + QUARTER);

    try (LaserLog log = open(text)) {
      List<LogEntry> entries = all(log);
      assertThat(entries).extracting(LogEntry::line).containsExactly(4, 6, 2);
      assertThat(odometry(entries.get(0))).isEqualTo(Pose.ORIGIN);
      assertThat(odometry(entries.get(1)).x()).isEqualTo(2);
      assertThat(odometry(entries.get(2)).distance(new Pose(2, 3, 0))).isLessThan(1e-12);
    }
  }

  @Test
  void givesVerticesAsReferenceAndTheOtherEdgesAsLoops() throws IOException {
    String text =
        vertex(0, 5)
            + vertex(1, 7)
            + vertex(2, 8)
            + edge(0, 1, "2 0 0")
            + edge(1, 2, "2 0 0")
            + edge(2, 0, "-1 -1 0");

    try (LaserLog log = open(text)) {
      assertThat(log.reference())
          .containsExactly(
              new StampedPose(5_000_000_000L, new Pose(50, 1, 0.1)),
              new StampedPose(7_000_000_000L, new Pose(70, 1, 0.1)),
              new StampedPose(8_000_000_000L, new Pose(80, 1, 0.1)));
      assertThat(log.loopEdges())
          .containsExactly(new RelativePose(8_000_000_000L, 5_000_000_000L, new Pose(-1, -1, 0)));
    }
  }

  @Test
  void takesAnEdgeOneVertexBackOrAgainForNoLoop() throws IOException {
    String text =
        vertex(0, 5)
            + vertex(1, 7)
            + edge(1, 0, "-2 0 0")
            + edge(0, 1, "2 0 0")
            + edge(0, 1, "3 0 0");

    try (LaserLog log = open(text)) {
      assertThat(log.loopEdges()).isEmpty();
      assertThat(odometry(all(log).get(1))).isEqualTo(new Pose(2, 0, 0));
    }
  }

  @Test
  void chainsEachVertexToTheNextThatIsThereByEdgesInEitherDirection() throws IOException {
    String text =
        edge(20, 10, "-3 0 0")
            + vertex(10, 5)
            + vertex(20, 6)
            + vertex(35, 7)
            + edge(20, 35, "2 0 0")
            + edge(35, 10, "-5 0 0");

    try (LaserLog log = open(text)) {
      List<LogEntry> entries = all(log);
      assertThat(entries).hasSize(3);
      assertThat(odometry(entries.get(1)).distance(new Pose(3, 0, 0))).isLessThan(1e-12);
      assertThat(odometry(entries.get(2)).distance(new Pose(5, 0, 0))).isLessThan(1e-12);
      assertThat(log.loopEdges())
          .containsExactly(new RelativePose(7_000_000_000L, 5_000_000_000L, new Pose(-5, 0, 0)));
    }
  }

  @Test
  void readsTorosGraphs() throws IOException {
    String text =
        (vertex(0, 5) + vertex(1, 7) + edge(0, 1, "2 0 0"))
            .replace("VERTEX_SE2", "VERTEX2")
            .replace("EDGE_SE2", "EDGE2");

    try (LaserLog log = open(text)) {
      assertThat(odometry(all(log).get(1))).isEqualTo(new Pose(2, 0, 0));
      assertThat(log.reference()).hasSize(2);
    }
  }

  @Test
  void quotesTheNumberOfAVertexThatCannotBeRead() throws IOException {
    String text = vertex(0, 5) + "VERTEX_SE2 1 1,25 0 0\n" + scan(6) + edge(0, 1, "1 0 0");

    try (LaserLog log = open(text)) {
      LogEntry.Refused refused = (LogEntry.Refused) all(log).get(1);
      assertThat(refused.why().detail()).contains("vertex in line 3").contains("\"1,25\"");
    }
  }

  @Test
  void refusesReadingsBehindAGapAndNamesTheMissingEdge() throws IOException {
    String text =
        vertex(0, 5)
            + vertex(1, 6)
            + vertex(2, 7)
            + vertex(3, 8)
            + edge(0, 1, "1 0 0")
            + edge(2, 3, "1 0 0");

    try (LaserLog log = open(text)) {
      List<LogEntry> entries = all(log);
      assertThat(entries).hasSize(4);
      assertThat(entries.get(1)).isInstanceOf(LogEntry.Usable.class);
      for (LogEntry behind : entries.subList(2, 4)) {
        LogEntry.Refused refused = (LogEntry.Refused) behind;
        assertThat(refused.why().refusal()).isEqualTo(ReadingRefusal.NO_ODOMETRY);
        assertThat(refused.why().detail()).isEqualTo("EDGE_SE2 1 2 is missing");
      }
    }
  }

  @Test
  void refusesScansWithoutAVertexAndScansThatCannotBeRead() throws IOException {
    String scan = scan(3);
    String text =
        scan
            + "VERTEX_SE2 0 0 0 zero\n"
            + scan
            + vertex(1, 5)
            + "ROBOTLASER1 0 0\n"
            + edge(1, 2, "1 0");

    try (LaserLog log = open(text)) {
      assertThat(log.scanCount()).isEqualTo(4);
      assertThat(all(log))
          .filteredOn(entry -> entry instanceof LogEntry.Refused)
          .extracting(entry -> ((LogEntry.Refused) entry).why().refusal())
          .containsExactly(
              ReadingRefusal.TOO_FEW_NUMBERS,
              ReadingRefusal.NO_ODOMETRY,
              ReadingRefusal.NO_ODOMETRY);
    }
  }

  @Test
  void takesAnEdgeOrAVertexThatIsNotFiniteForOneThatCannotBeRead() throws IOException {
    String text =
        vertex(0, 5)
            + "VERTEX_SE2 1 nan 0 0\n"
            + scan(6)
            + vertex(2, 7)
            + vertex(3, 8)
            + edge(0, 1, "1 0 0")
            + edge(1, 2, "1 0 0")
            + edge(2, 3, "1 0 inf")
            + edge(3, 0, "nan 0 0");

    try (LaserLog log = open(text)) {
      assertThat(all(log))
          .filteredOn(entry -> entry instanceof LogEntry.Refused)
          .extracting(entry -> ((LogEntry.Refused) entry).why().detail())
          .containsExactly(
              "EDGE_SE2 2 3 is missing",
              "its vertex in line 3 cannot be read: The line holds something that is no number (the"
                  + " vertex is not finite: Pose[x=NaN, y=0.0, theta=0.0])");
      assertThat(log.reference()).allMatch(stamped -> stamped.pose().isFinite()).hasSize(3);
      assertThat(log.loopEdges()).isEmpty();
    }
  }

  /** A heading of which the last digits are missing would turn all that follows. */
  @Test
  void takesAnEdgeInsideWhichTheFileEndsForMissing() throws IOException {
    String whole = vertex(0, 5) + vertex(1, 7) + vertex(2, 8) + edge(0, 1, "2 0 0");
    String cut = edge(1, 2, "2 0 0.123456").substring(0, 21);
    assertThat(cut).endsWith("0.12");

    try (LaserLog log = open(whole + cut)) {
      assertThat(log.damage()).hasValueSatisfying(it -> assertThat(it).contains("inside line 8"));
      assertThat(all(log))
          .filteredOn(LogEntry.Refused.class::isInstance)
          .singleElement()
          .asString()
          .contains("EDGE_SE2 1 2 is missing");
    }
  }

  @Test
  void refusesAPoseGraphWithoutScans() {
    assertThatThrownBy(() -> open("VERTEX_SE2 0 0 0 0\n"))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("pose graph without laser scans");
  }

  private LaserLog open(String text) throws IOException {
    return G2oLog.format(CarmenSettings.defaults())
        .open(List.of(Files.writeString(folder.resolve("graph.g2o"), text)));
  }

  private static List<LogEntry> all(LaserLog log) {
    List<LogEntry> entries = new ArrayList<>();
    log.forEachRemaining(entries::add);
    return entries;
  }

  private static Pose odometry(LogEntry entry) {
    return ((LogEntry.Usable) entry).reading().odometry();
  }

  private static String vertex(int id, int stampSeconds) {
    return "VERTEX_SE2 " + id + " " + 10 * stampSeconds + " 1 0.1\n" + scan(stampSeconds);
  }

  private static String scan(int stampSeconds) {
    return "ROBOTLASER1 0 -1 2 0.1 50 0.1 0 1 4.5 0 8 8 8 8 8 8 0 0 0 0 0 "
        + stampSeconds
        + " robot 1\n";
  }

  private static String edge(int from, int to, String motion) {
    return "EDGE_SE2 " + from + " " + to + " " + motion + INFORMATION;
  }
}
