package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.journal.BlockLog;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * A live robot's readings wait on a small disk of their own, or a run's journal is there; the disk
 * is full for a while.
 */
@Default
class FullSpoolDiskIT {

  private static final int DISK_KILOBYTES = 512;

  /** With its frame a reading of so many beams takes a little more than 10 kB. */
  private static final int BEAMS = 2500;

  private static final int READING_KILOBYTES = 10;

  /** Of the queue's file; a quarter of that may wait in memory. */
  private static final int MEGABYTES = 1;

  private final Map<Long, SkipReason> skipped = new TreeMap<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(BlockLog.class);
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
      backlog.close(false);
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

  /** From the beginning to the end; what there is waits in memory. */
  @Test
  void nothingIsMissingWhereNothingCanBeWritten() throws Exception {
    Files.write(disk.resolve("filler"), new byte[DISK_KILOBYTES - 4 << 10]);
    int few = MEGABYTES * 1000 / 4 / READING_KILOBYTES / 2;
    offer(1, few);
    assertThat(lines.list).singleElement().asString().contains("No space left on device");
    assertThat(drain()).usingRecursiveFieldByFieldElementComparator().isEqualTo(keyFrames(1, few));
    assertThat(skipped).isEmpty();
  }

  /** A journal of readings that lacks one would be taken for whole; then it lacks nothing. */
  @ParameterizedTest
  @EnumSource
  void aJournalIsGoneOrStandsWhileTheDiskIsFullAndIsWholeThen(RunJournal.Keeps keeps)
      throws Exception {
    Path file = disk.resolve(RunJournal.FILE);
    Map<String, String> identity = Map.of("robot", "one");
    Files.write(disk.resolve("filler"), new byte[DISK_KILOBYTES * 7 / 8 << 10]);
    long last = 0;
    try (RunJournal journal = RunJournal.begin(file, keeps, identity, RunBeginning.anew())) {
      while (lines.list.isEmpty()) {
        last = send(journal, last + 1);
      }
      last = send(journal, last + 1);
      if (keeps == RunJournal.Keeps.READINGS) {
        assertThat(file).doesNotExist();
      } else {
        try (RunJournal begun = RunJournal.resume(file, keeps, identity)) {
          assertThat(begun.answered()).as("the rest is in the log").isBetween(1L, last - 1);
        }
      }
      Files.delete(disk.resolve("filler"));
      AtomicLong next = new AtomicLong(last);
      await()
          .until(
              () ->
                  send(journal, next.incrementAndGet()) > 0
                      && lines.list.get(lines.list.size() - 1).getLevel() == Level.INFO);
      last = next.get();
    }
    assertThat(lines.list).first().asString().contains("cannot be resumed until it can");
    assertThat(lines.list).last().asString().contains("can be written again");
    try (RunJournal journal = RunJournal.resume(file, keeps, identity)) {
      assertThat(journal.answered()).isEqualTo(last);
      assertThat(journal.held(1, last))
          .extracting(each -> ((ReadingMessage) each.body()).reading())
          .usingRecursiveFieldByFieldElementComparator()
          .isEqualTo(keeps == RunJournal.Keeps.READINGS ? keyFrames(1, (int) last) : List.of());
    }
  }

  private static long send(RunJournal journal, long number) {
    Reading reading = keyFrame(number);
    Envelope sent = new Envelope("one", 1, number, number, new ReadingMessage(reading));
    journal.sent(sent);
    journal.answered(sent, OutcomeMessage.now(new Outcome.Lost("it rained"), 0));
    journal.compact(Long.MAX_VALUE);
    return number;
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
