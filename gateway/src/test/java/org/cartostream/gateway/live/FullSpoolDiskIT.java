package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A live robot's readings wait on a small disk of their own, which is full for a while. */
@Default
class FullSpoolDiskIT {

  private static final int DISK_KILOBYTES = 512;

  /** With its frame a reading of so many beams takes a little more than 10 kB. */
  private static final int BEAMS = 2500;

  private static final int READING_KILOBYTES = 10;

  /** Of the queue's file; a quarter of that may wait in memory. */
  private static final int MEGABYTES = 1;

  private final Map<Long, SkipReason> skipped = new TreeMap<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(SpoolDisk.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @TempDir private Path disk;
  private boolean isMounted;
  private Backlog backlog;

  @BeforeEach
  void mount() throws Exception {
    String size = "size=" + DISK_KILOBYTES + "k";
    isMounted = run("mount", "-t", "tmpfs", "-o", size, "tmpfs", disk.toString());
    Assumptions.assumeTrue(isMounted, "a small disk cannot be mounted here: it needs root");
    lines.start();
    log.setLevel(Level.INFO);
    log.addAppender(lines);
    backlog =
        new Backlog(
            "one",
            new GatewaySettings(2, 60, 1000, MEGABYTES),
            Settings.defaults(ReadingFilterSettings.class),
            disk,
            OptionalLong.empty(),
            skipped::put);
  }

  @AfterEach
  void unmount() throws Exception {
    log.detachAppender(lines);
    log.setLevel(null);
    if (backlog != null) {
      backlog.close();
    }
    if (isMounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
  }

  /** Its stamp is its number; each is 0.1 m further, and so a key frame. */
  private static Reading keyFrame(long number) {
    float[] ranges = new float[BEAMS];
    ranges[0] = number;
    Scan scan = new Scan(Pose.ORIGIN, -1, 1e-3, 0.1, 8, ranges);
    return new Reading(number, new Pose(0.1 * number, 0, 0), scan);
  }

  private void offer(int from, int to) {
    LongStream.rangeClosed(from, to).forEach(number -> backlog.offer(keyFrame(number)));
  }

  private List<Reading> drain() {
    List<Reading> all = new ArrayList<>();
    for (Reading reading = backlog.due(0); reading != null; reading = backlog.due(0)) {
      backlog.sent(0);
      all.add(reading);
    }
    return all;
  }

  private static List<Reading> keyFrames(int from, int to) {
    return LongStream.rangeClosed(from, to).mapToObj(FullSpoolDiskIT::keyFrame).toList();
  }

  private void fill() throws IOException {
    Files.write(disk.resolve("filler"), new byte[DISK_KILOBYTES / 2 << 10]);
  }

  /** Half of the disk is taken by another's file. */
  @Test
  void whatHasNoRoomThereWaitsInMemoryAndNothingIsMissing() throws Exception {
    fill();
    int fit = DISK_KILOBYTES / 2 / READING_KILOBYTES;
    int more = fit + MEGABYTES * 1000 / 4 / READING_KILOBYTES / 2;
    offer(1, more);
    assertThat(lines.list)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.getFormattedMessage())
                    .contains(disk.resolve("backlog.spool") + " on the disk " + disk + " (tmpfs)")
                    .contains("No space left on device"));

    Files.delete(disk.resolve("filler"));
    offer(more + 1, more + 3);
    assertThat(lines.list).last().asString().contains("can be written again");
    assertThat(drain())
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(keyFrames(1, more + 3));
    assertThat(skipped).isEmpty();
  }

  /** As long as nothing can be written, no more than is allowed waits in memory. */
  @Test
  void whatHasNoRoomInMemoryEitherIsSkippedWithTheReason() throws Exception {
    fill();
    int all = 2 * DISK_KILOBYTES / READING_KILOBYTES;
    offer(1, all);
    List<Reading> left = drain();
    assertThat(skipped)
        .hasSize(all - left.size())
        .isNotEmpty()
        .containsValue(SkipReason.BACKLOG_UNWRITABLE);
    assertThat(left)
        .hasSizeLessThan(1 + (DISK_KILOBYTES / 2 + MEGABYTES * 1000 / 4) / READING_KILOBYTES)
        .hasSizeGreaterThan(DISK_KILOBYTES / 2 / READING_KILOBYTES);
  }
}
