package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class BacklogTest {

  private static final int FEW = 8;

  /** With its frame a reading of so many beams takes a little more than 10 kB. */
  private static final int BEAMS = 2500;

  @TempDir private Path folder;

  private final Map<Long, SkipReason> skipReason = new TreeMap<>();
  private Backlog backlog;

  @BeforeEach
  void open() {
    backlog = open(OptionalLong.empty());
  }

  private Backlog open(OptionalLong sentTo) {
    GatewaySettings settings = new GatewaySettings(2, 60, FEW, 1);
    ReadingFilterSettings keyFrames = Settings.defaults(ReadingFilterSettings.class);
    return new Backlog("one", settings, keyFrames, folder, sentTo, skipReason::put);
  }

  @AfterEach
  void close() throws IOException {
    backlog.close(false);
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
    assertThat(skipReason).containsOnlyKeys(2L, 3L).containsValue(SkipReason.FILTER_BUSY);
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
    assertThat(skipReason).containsOnlyKeys(2L, 4L, 6L, 8L).containsValue(SkipReason.FILTER_BUSY);
    assertThat(drain()).containsExactly(1L, 3L, 5L, 7L, 9L);
  }

  @Test
  void keepsMoreWhileTheServiceIsAwayAndUntilItHasCaughtUp() {
    backlog.setServiceAway(true);
    LongStream.rangeClosed(1, 50).forEach(i -> backlog.offer(keyFrame(i)));
    backlog.setServiceAway(false);
    for (long i = 1; i <= 49; i++) { // One leaves for each that comes.
      assertThat(take().stampNanos()).isEqualTo(i);
      backlog.offer(keyFrame(50 + i));
    }
    assertThat(skipReason).isEmpty();
    assertThat(drain()).containsExactlyElementsOf(LongStream.rangeClosed(50, 99).boxed().toList());
  }

  /** After an outage it lets nobody wait for ever. */
  @Test
  void getsShorterInTheEndEvenIfTheServiceIsTooSlow() {
    backlog.setServiceAway(true);
    LongStream.rangeClosed(1, 50).forEach(i -> backlog.offer(keyFrame(i)));
    backlog.setServiceAway(false);
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
    backlog.setServiceAway(true);
    LongStream.rangeClosed(1, 350).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(skipReason)
        .containsValue(SkipReason.BACKLOG_FULL)
        .doesNotContainValue(SkipReason.FILTER_BUSY);
    assertThat(Files.size(folder.resolve("backlog.spool"))).isLessThanOrEqualTo(1_000_000);
    List<Long> kept = drain();
    assertThat(kept).hasSizeGreaterThan(50).startsWith(1L).endsWith(350L).isSorted();
    for (int i = 1; i < kept.size(); i++) {
      assertThat(kept.get(i) - kept.get(i - 1)).isLessThanOrEqualTo(8);
    }
    assertThat(kept.size() + skipReason.size()).isEqualTo(350);
  }

  /** With the number that it had it would be left out with every second. */
  @Test
  void keepsTheKeyFrameWithWhichARunBegins() {
    backlog.setServiceAway(true);
    LongStream.rangeClosed(1, 9).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(backlog.skipTo(2, SkipReason.NO_PLACE_IN_MAP)).isEqualTo(3);
    LongStream.rangeClosed(10, 350).forEach(i -> backlog.offer(keyFrame(i)));
    assertThat(skipReason).containsValue(SkipReason.BACKLOG_FULL);
    List<Long> kept = drain();
    assertThat(kept).hasSizeGreaterThan(40).startsWith(4L).endsWith(350L).isSorted();
    for (int i = 1; i < kept.size(); i++) {
      assertThat(kept.get(i) - kept.get(i - 1)).isLessThanOrEqualTo(8);
    }
    assertThat(kept.size() + skipReason.size()).isEqualTo(350);
  }

  @Test
  void usesTheFileAgainOnceItWasEmptied() {
    backlog.setServiceAway(true);
    for (int outage = 0; outage < 5; outage++) {
      long first = outage * 80L + 1;
      LongStream.range(first, first + 80).forEach(i -> backlog.offer(keyFrame(i)));
      assertThat(drain()).hasSize(80);
    }
    assertThat(skipReason).isEmpty();
  }

  /** As the disk is when the gateway is killed. */
  @Test
  void findsWhatWaitedWhenTheGatewayWasKilledInWhateverStateTheFileIs() throws IOException {
    LongStream.rangeClosed(1, 7).forEach(i -> backlog.offer(keyFrame(i))); // The last in memory.
    take();
    Path file = folder.resolve("backlog.spool");
    byte[] whole = Files.readAllBytes(file);
    int bytes = whole.length / 6;
    for (int left : new int[] {whole.length, whole.length - 1, 5 * bytes + 3, 2 * bytes, 3, 0}) {
      Files.write(file, Arrays.copyOf(whole, left));
      backlog = open(OptionalLong.of(2));
      assertThat(drain())
          .as(left + " bytes")
          .containsExactlyElementsOf(LongStream.rangeClosed(3, left / bytes).boxed().toList());
      backlog.offer(keyFrame(8));
      assertThat(drain()).containsExactly(8L);
    }
    whole[3 * bytes + bytes / 2] ^= 1; // In the fourth.
    Files.write(file, whole);
    backlog = open(OptionalLong.of(2));
    assertThat(drain()).containsExactly(3L);
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
    backlog.skipAll();
    backlog.offer(keyFrame(4)); // The robot does not know yet.
    assertThat(skipReason)
        .containsOnlyKeys(1L, 2L, 3L, 4L)
        .containsValue(SkipReason.GATEWAY_STOPPED);
    assertThat(backlog.size()).isZero();
  }

  @Test
  void refusesAFolderThatCannotBeWritten() throws IOException {
    Path file = Files.createFile(folder.resolve("no folder"));
    assertThatThrownBy(
            () ->
                new Backlog(
                    "one",
                    Settings.defaults(GatewaySettings.class),
                    Settings.defaults(ReadingFilterSettings.class),
                    file,
                    OptionalLong.empty(),
                    skipReason::put))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("no folder");
  }

  @Test
  void leavesNoFileBehind() throws IOException {
    backlog.offer(keyFrame(1));
    backlog.close(false);
    assertThat(folder).isEmptyDirectory();
  }
}
