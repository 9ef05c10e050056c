package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several bags as one log. */
@Quick
class SplitBagTest {

  private static final int SCANS = 12;

  @TempDir private Path folder;

  private Path bag(String name, int first, int end) throws IOException {
    return Files.write(folder.resolve(name), SmallBag.part(first, end, true));
  }

  private record Outcome(List<Reading> readings, List<String> notices) {

    static Outcome of(Path... bags) throws IOException {
      try (BagLog log = BagLog.open(List.of(bags), Settings.defaults(RosSettings.class))) {
        List<Reading> readings = new ArrayList<>();
        List<String> notices = new ArrayList<>(log.notices());
        log.damage().ifPresent(notices::add);
        int count = log.scanCount();
        int entries = 0;
        for (; log.hasNext(); entries++) {
          if (log.next() instanceof LogEntry.Usable usable) {
            readings.add(usable.reading());
          }
        }
        assertThat(entries).isEqualTo(count);
        return new Outcome(readings, notices);
      }
    }

    List<String> stampsAndOdometry() {
      return readings.stream().map(each -> each.stampNanos() + " " + each.odometry()).toList();
    }
  }

  @Test
  void partsAreTheWholeWhateverTheirOrder() throws Exception {
    Outcome whole = Outcome.of(bag("whole.bag", 0, SCANS));
    assertThat(whole.readings).hasSize(SCANS);
    Path a = bag("a.bag", 0, 5);
    Path b = bag("b.bag", 5, 9);
    Path c = bag("c.bag", 9, SCANS);
    for (List<Path> order : List.of(List.of(a, b, c), List.of(c, a, b), List.of(b, c, a))) {
      Outcome outcome = Outcome.of(order.toArray(Path[]::new));
      assertThat(outcome.stampsAndOdometry()).isEqualTo(whole.stampsAndOdometry());
      assertThat(outcome.notices).isEmpty();
    }
  }

  @Test
  void aMessageThatTwoFilesHaveIsTakenOnceWithAWord() throws Exception {
    Outcome whole = Outcome.of(bag("whole.bag", 0, SCANS));
    Outcome outcome = Outcome.of(bag("late.bag", 4, SCANS), bag("early.bag", 0, 7));
    assertThat(outcome.stampsAndOdometry()).isEqualTo(whole.stampsAndOdometry());
    // Three scans, and two transforms of odometry with each.
    assertThat(outcome.notices)
        .containsExactly("9 messages are in several of the files, and are taken once");

    Path twice = bag("twice.bag", 0, SCANS);
    assertThat(Outcome.of(twice, twice).stampsAndOdometry()).isEqualTo(whole.stampsAndOdometry());
  }

  @Test
  void aStaticTransformOfOneFileHoldsForAll() throws Exception {
    Outcome whole = Outcome.of(bag("whole.bag", 0, SCANS));
    Path first = Files.write(folder.resolve("1.bag"), SmallBag.part(0, 6, false));
    Path second = bag("2.bag", 6, SCANS);
    assertThat(Outcome.of(first, second).stampsAndOdometry()).isEqualTo(whole.stampsAndOdometry());
  }

  @Test
  void namesTheFileThatIsDamagedAndReadsTheOthers() throws Exception {
    Path whole = bag("whole.bag", 6, SCANS);
    byte[] bytes = SmallBag.part(0, 6, true);
    Path cut = Files.write(folder.resolve("cut.bag"), Arrays.copyOf(bytes, 1600));
    Outcome outcome = Outcome.of(whole, cut);
    assertThat(outcome.readings).hasSizeBetween(7, SCANS - 1);
    assertThat(outcome.notices).singleElement().asString().contains("cut.bag: at byte");
  }

  @Test
  void anMcapFileThatRepeatsItselfInAnotherPackingIsTakenOnce() throws Exception {
    Outcome one = Outcome.of(new Path[] {mcap("none")});
    Outcome both = Outcome.of(mcap("zstd"), mcap("none"));
    assertThat(both.stampsAndOdometry()).isEqualTo(one.stampsAndOdometry());
  }

  private Path mcap(String name) throws IOException {
    try (InputStream in = SplitBagTest.class.getResourceAsStream("mcap/" + name + ".mcap")) {
      return Files.write(folder.resolve(name + ".mcap"), in.readAllBytes());
    }
  }
}
