package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.IntakeSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacklogTest {

  private static final int FEW = 8;

  /** With its frame a reading of so many beams takes a little more than 10 kB. */
  private static final int BEAMS = 2500;

  @TempDir private Path folder;

  private final Map<Long, LeftOut> leftOut = new TreeMap<>();
  private Backlog backlog;

  @BeforeEach
  void open() {
    GatewaySettings settings = new GatewaySettings(2, 60, FEW, 1);
    IntakeSettings keyFrames = Settings.defaults(IntakeSettings.class);
    backlog = new Backlog("one", settings, keyFrames, folder, leftOut::put);
  }

  @AfterEach
  void close() throws IOException {
    backlog.close();
  }

  /** Its stamp is its number; each is 0.1 m further, and so a key frame. */
  private static Reading keyFrame(long number) {
    return at(number, 0.1 * number);
  }

  private static Reading at(long number, double x) {
    float[] ranges = new float[BEAMS];
    ranges[0] = number;
    return new Reading(number, new Pose(x, 0, 0), new Scan(Pose.ORIGIN, -1, 1e-3, 0.1, 8, ranges));
  }

  private List<Long> drain() {
    List<Long> stamps = new ArrayList<>();
    for (Reading reading = take(); reading != null; reading = take()) {
      assertThat(reading.scan().ranges()[0]).isEqualTo(reading.stampNanos());
      stamps.add(reading.stampNanos());
    }
    return stamps;
  }

  private Reading take() {
    Reading due = backlog.due(0);
    backlog.sent(0);
    return due;
  }

  @Test
  void givesBackInOrderWhatItWasGiven() {
    LongStream.rangeClosed(1, 5).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(drain()).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(backlog.size()).isZero();
  }

  @Test
  void keepsOnlyTheNewestOfThoseThatAreNoKeyFrames() {
    backlog.offer(at(1, 0));
    backlog.offer(at(2, 0.005));
    backlog.offer(at(3, 0.010));
    backlog.offer(at(4, 0.015));
    assertThat(drain()).containsExactly(1L, 4L);
    assertThat(leftOut).containsOnlyKeys(2L, 3L).containsValue(LeftOut.FILTER_BUSY);
  }

  /** Small steps add up: what counts is the way since the last key frame. */
  @Test
  void measuresFromTheLastKeyFrame() {
    for (int i = 0; i <= 6; i++) {
      backlog.offer(at(i, 0.0101 * i));
    }
    assertThat(drain()).containsExactly(0L, 2L, 4L, 6L);
  }

  @Test
  void keepsFirstWhatIsDueUntilItIsSent() {
    LongStream.rangeClosed(1, 3).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(backlog.due(0)).isSameAs(backlog.due(0));
    assertThat(backlog.size()).isEqualTo(3);
    assertThat(drain()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void leavesOutEverySecondWhenTheServiceIsTooSlow() {
    LongStream.rangeClosed(1, FEW + 1).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(leftOut).containsOnlyKeys(2L, 4L, 6L, 8L).containsValue(LeftOut.FILTER_BUSY);
    assertThat(drain()).containsExactly(1L, 3L, 5L, 7L, 9L);
  }

  @Test
  void keepsMoreWhileTheServiceIsAwayAndUntilItHasCaughtUp() {
    backlog.serviceIsAway(true);
    LongStream.rangeClosed(1, 50).forEach(i -> backlog.offer(keyFrame(i)));
    backlog.serviceIsAway(false);
    for (long i = 1; i <= 49; i++) { // One leaves for each that comes.
      assertThat(take().stampNanos()).isEqualTo(i);
      backlog.offer(keyFrame(50 + i));
    }
    assertThat(leftOut).isEmpty();
    assertThat(drain()).containsExactlyElementsOf(LongStream.rangeClosed(50, 99).boxed().toList());
  }

  /** After an outage it lets nobody wait for ever. */
  @Test
  void getsShorterInTheEndEvenIfTheServiceIsTooSlow() {
    backlog.serviceIsAway(true);
    LongStream.rangeClosed(1, 50).forEach(i -> backlog.offer(keyFrame(i)));
    backlog.serviceIsAway(false);
    for (long i = 51; i <= 1000; i++) { // One leaves for two that come.
      backlog.offer(keyFrame(i));
      if (i % 2 == 0) {
        take();
      }
    }
    assertThat(backlog.size()).isLessThanOrEqualTo(2 * FEW);
  }

  /** 1 MB holds 99 readings of this size; those that are left still cover the whole way. */
  @Test
  void leavesOutEverySecondWhenTheFileIsFull() throws IOException {
    backlog.serviceIsAway(true);
    LongStream.rangeClosed(1, 350).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(leftOut)
        .containsValue(LeftOut.BACKLOG_FULL)
        .doesNotContainValue(LeftOut.FILTER_BUSY);
    assertThat(Files.size(folder.resolve("backlog.spool"))).isLessThanOrEqualTo(1_000_000);
    List<Long> kept = drain();
    assertThat(kept).hasSizeGreaterThan(50).startsWith(1L).endsWith(350L).isSorted();
    for (int i = 1; i < kept.size(); i++) {
      assertThat(kept.get(i) - kept.get(i - 1)).isLessThanOrEqualTo(8);
    }
    assertThat(kept.size() + leftOut.size()).isEqualTo(350);
  }

  @Test
  void usesTheFileAgainOnceItWasEmptied() {
    backlog.serviceIsAway(true);
    for (int outage = 0; outage < 5; outage++) {
      long first = outage * 80L + 1;
      LongStream.range(first, first + 80).forEach(i -> backlog.offer(keyFrame(i)));
      assertThat(drain()).hasSize(80);
    }
    assertThat(leftOut).isEmpty();
  }

  @Test
  void isExhaustedWhenItIsStoppedAndAllIsSent() {
    backlog.offer(keyFrame(1));
    backlog.stop();
    assertThat(backlog.isExhausted()).isFalse();
    take();
    assertThat(backlog.isExhausted()).isTrue();
  }

  @Test
  void tellsWhatIsLeftWhenTheGatewayStops() {
    LongStream.rangeClosed(1, 3).forEach(i -> backlog.offer(keyFrame(i)));
    backlog.leaveOutAll();
    backlog.offer(keyFrame(4)); // The robot does not know yet.
    assertThat(leftOut).containsOnlyKeys(1L, 2L, 3L, 4L).containsValue(LeftOut.GATEWAY_STOPPED);
    assertThat(backlog.size()).isZero();
  }

  @Test
  void refusesAFolderThatCannotBeWritten() throws IOException {
    Path file = Files.createFile(folder.resolve("no folder"));
    assertThatThrownBy(
            () ->
                new Backlog(
                    "one",
                    GatewaySettings.defaults(),
                    Settings.defaults(IntakeSettings.class),
                    file,
                    leftOut::put))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("no folder");
  }

  @Test
  void leavesNoFileBehind() throws IOException {
    backlog.offer(keyFrame(1));
    backlog.close();
    assertThat(folder).isEmptyDirectory();
  }
}
