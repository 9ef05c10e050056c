package org.cartostream.gateway.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.ManualClock;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class RunJournalTest {

  private static final Map<String, String> IDENTITY = Map.of("robot", "one", "seed", "1");
  private static final RunJournal.Keeps READINGS = RunJournal.Keeps.READINGS;

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("checkpoint").resolve(RunJournal.FILE);
  }

  private RunJournal begin() {
    return RunJournal.begin(file(), READINGS, IDENTITY, RunBeginning.anew());
  }

  private RunJournal resume() {
    return RunJournal.resume(file(), READINGS, IDENTITY);
  }

  private static Envelope reading(long sequence, int beams) {
    float[] ranges = new float[beams];
    Arrays.fill(ranges, sequence);
    Scan scan = new Scan(Pose.ORIGIN, -1, 1e-3, 0.1, 1e6, ranges);
    Reading reading = new Reading(10 * sequence, FakeService.pose(sequence), scan);
    return new Envelope("one", 1, sequence, 10 * sequence, new ReadingMessage(reading));
  }

  private static OutcomeMessage outcome(long durable) {
    return OutcomeMessage.now(new Outcome.Lost("it rained"), durable);
  }

  /** A journal of four readings that have their outcomes, as it lies on the disk. */
  private byte[] fourReadings() throws IOException {
    try (RunJournal journal = begin()) {
      for (long i = 1; i <= 4; i++) {
        journal.sent(reading(i, 3));
        journal.answered(reading(i, 3), outcome(0));
      }
    }
    return Files.readAllBytes(file());
  }

  private static List<Long> held(RunJournal journal) {
    return journal.held(0, Long.MAX_VALUE).stream().map(Envelope::sequence).toList();
  }

  @Test
  void whatALinkLeadsToIsNeitherReadNorReplaced() throws Exception {
    Path precious = Files.write(folder.resolve("precious"), fourReadings());
    byte[] before = Files.readAllBytes(precious);
    Files.delete(file());
    Files.createSymbolicLink(file(), precious);
    assertThatThrownBy(this::resume)
        .isInstanceOf(DamagedJournalException.class)
        .hasMessageContaining(file() + " is no regular file but a link");
    begin().close();
    assertThat(precious).hasBinaryContent(before);
    assertThat(Files.isSymbolicLink(file())).isFalse();

    Files.delete(file());
    Files.createDirectory(file());
    assertThatThrownBy(this::resume).isInstanceOf(DamagedJournalException.class);
  }

  @Test
  void givesBackWhatWasSentAndIsInNoCheckpoint() {
    long run;
    try (RunJournal journal = begin()) {
      run = journal.run();
      for (long i = 1; i <= 9; i++) {
        journal.sent(reading(i, 3));
        if (i <= 7) {
          journal.answered(reading(i, 3), outcome(i / 2));
        }
      }
    }
    try (RunJournal journal = resume()) {
      assertThat(journal.run()).isEqualTo(run);
      assertThat(journal.answered()).isEqualTo(7);
      assertThat(journal.firstHeld()).as("3 are durable").isEqualTo(4);
      assertThat(journal.lastStampNanos()).isEqualTo(90);
      assertThat(LongStream.rangeClosed(1, 9).filter(journal::hasOutcome)).hasSize(7);
      assertThat(held(journal)).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
    }
  }

  /** So that a gateway that goes on says none a second time. */
  @Test
  void hasTheCorrectionOfTheNewestPose() {
    Correction second = new Correction(2, new Pose(0.5, 0, 0), 0.25);
    try (RunJournal journal = begin()) {
      assertThat(journal.correction()).isEqualTo(Correction.NONE);
      for (Correction each : List.of(new Correction(1, Pose.ORIGIN, 0.5), second)) {
        Outcome outcome =
            new Outcome.Processed(new RobotPose(Pose.ORIGIN, each, 15, 2.5), false, 1);
        journal.answered(reading(each.number(), 3), OutcomeMessage.now(outcome, 0));
      }
      journal.answered(reading(3, 3), outcome(0));
    }
    try (RunJournal journal = resume()) {
      assertThat(journal.correction()).isEqualTo(second);
    }
  }

  /** At every byte: what a kill or a power cut leaves is a beginning of what was written. */
  @Test
  void readsWhateverBeginningOfItselfIsLeft() throws IOException {
    byte[] whole = fourReadings();
    int before = 0;
    for (int bytes = 0; bytes <= whole.length; bytes++) {
      Files.write(file(), Arrays.copyOf(whole, bytes));
      try (RunJournal journal = resume()) {
        int blocks = (int) journal.answered() + held(journal).size();
        assertThat(blocks).isBetween(before, before + 1);
        before = blocks;
        journal.sent(reading(9, 3));
      } catch (GatewayException e) {
        assertThat(before).as("only the beginning is needed").isZero();
        assertThat(e).hasMessageContaining("is not whole");
        continue;
      }
      try (RunJournal journal = resume()) {
        assertThat(held(journal)).as("goes on behind it").endsWith(9L);
      }
    }
    assertThat(before).isEqualTo(8);
  }

  /**
   * By a bit, at every byte behind the head; but in the last block it may not have been written.
   */
  @Test
  void refusesADamagedOne() throws IOException {
    begin().close();
    int head = (int) Files.size(file());
    byte[] whole = fourReadings();
    int last = lastBlock(whole);
    for (int at = head; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x40;
      Files.write(file(), damaged);
      if (at >= last) {
        try (RunJournal journal = resume()) {
          assertThat(journal.answered()).as("byte %d", at).isEqualTo(3);
          assertThat(held(journal)).hasSize(4);
        }
        continue;
      }
      assertThatThrownBy(this::resume)
          .as("byte %d", at)
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("is damaged at byte ");
    }
  }

  /** Where it begins. */
  private static int lastBlock(byte[] whole) {
    int at = 0;
    int next = 0;
    while (next < whole.length) {
      at = next;
      next += BlockLog.HEAD_BYTES + ByteBuffer.wrap(whole).getInt(at);
    }
    return at;
  }

  /**
   * The file's length is on the disk, and of the last block the pages behind a byte, or those
   * before it, are not.
   */
  @Test
  void goesOnWhereAPowerCutHasTornTheLastBlock() throws IOException {
    byte[] whole = fourReadings();
    int last = lastBlock(whole);
    for (int at = last + 1; at < whole.length; at++) {
      byte[] without = Arrays.copyOf(whole, whole.length + at % 2 * 100);
      Arrays.fill(without, at, whole.length, (byte) 0);
      byte[] before = Arrays.copyOf(whole, without.length);
      Arrays.fill(before, last, at, (byte) 0);
      for (byte[] torn : List.of(without, before)) {
        boolean isWhole = Arrays.equals(torn, 0, whole.length, whole, 0, whole.length);
        Files.write(file(), torn);
        try (RunJournal journal = resume()) {
          assertThat(journal.answered()).as("byte %d", at).isEqualTo(isWhole ? 4 : 3);
          assertThat(held(journal)).containsExactly(1L, 2L, 3L, 4L);
          journal.answered(reading(4, 3), outcome(0));
        }
        try (RunJournal journal = resume()) {
          assertThat(journal.answered()).as("goes on in its place").isEqualTo(4);
        }
      }
    }
  }

  /** Its head says 128 MB, which are not there. */
  @Test
  void takesNoMemoryForABlockThatIsNotThere() throws IOException {
    byte[] whole = fourReadings();
    int length = BlockLog.MAX_BLOCK_BYTES;
    ByteBuffer more = ByteBuffer.allocate(whole.length + BlockLog.HEAD_BYTES);
    more.put(whole).putInt(length).putInt(~length);
    Files.write(file(), more.array());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    resume().close();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(length / 4);
  }

  @Test
  void refusesWhatNoJournalHas() throws IOException {
    fourReadings();
    byte[] message =
        new Codec(1 << 20).encode(reading(1, 3).answer(new ResendRequestMessage(1, 1)));
    try (BlockLog log = new BlockLog(file(), "")) {
      log.recover(BlockLog.OnDamage.REFUSE);
      log.append(ByteBuffer.allocate(4 + message.length).putInt(0).put(message).array(), true);
    }
    assertThatThrownBy(this::resume)
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("there are readings, outcomes and an end in a journal");
  }

  @Test
  void neitherReadsNorWritesThroughALink() throws IOException {
    Path outside = folder.resolve("outside");
    Files.createDirectories(file().getParent());
    for (Path leads : List.of(Path.of("/dev/zero"), outside)) {
      Files.createSymbolicLink(file(), leads);
      begin().close();
      assertThat(Files.isRegularFile(file(), LinkOption.NOFOLLOW_LINKS)).isTrue();
      Files.delete(file());
    }
    assertThat(outside).doesNotExist();
    Files.createSymbolicLink(file(), Path.of("/dev/zero"));
    assertThatThrownBy(this::resume).hasMessageContaining(" is no regular file");
  }

  @Test
  void readsWhatAPowerCutHasLeftLongerThanItWas() throws IOException {
    try (RunJournal journal = begin()) {
      journal.sent(reading(1, 3));
    }
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length + 100));
    try (RunJournal journal = resume()) {
      assertThat(held(journal)).containsExactly(1L);
    }
  }

  /** As on a full disk: its readings would be counted once more. */
  @Test
  void isDeletedWhereItCannotBeWritten() {
    RunJournal journal = begin();
    journal.sent(reading(1, 3));
    journal.close(); // Nothing can be written to it now.
    journal.sent(reading(2, 3));
    assertThatThrownBy(this::resume).hasMessageContaining("there is nothing to resume");
  }

  /** As on a disk that is full for a while: what was sent meanwhile is not missing. */
  @Test
  void isThereAgainWhenItCanBeWrittenAgain() throws IOException {
    for (RunJournal.Keeps keeps : RunJournal.Keeps.values()) {
      Path inTheWay = file().resolveSibling(RunJournal.FILE + ".new").resolve("folder");
      ManualClock clock = new ManualClock();
      try (RunJournal journal =
          RunJournal.begin(file(), keeps, IDENTITY, RunBeginning.anew(), clock)) {
        Files.createDirectories(inTheWay); // No file can be made under this name.
        journal.beginAnew(7, Map.of());
        journal.sent(reading(1, 3));
        journal.answered(reading(1, 3), outcome(0));
        journal.compact(Long.MAX_VALUE);
        assertThat(file()).as("its readings would be counted once more").doesNotExist();
        Files.delete(inTheWay);
        journal.compact(Long.MAX_VALUE);
        assertThat(file()).as("each reading would try a disk that fails").doesNotExist();
        clock.advanceSeconds(1);
        journal.sent(reading(2, 3));
        journal.answered(reading(2, 3), outcome(0));
        journal.compact(Long.MAX_VALUE);
        journal.sent(reading(3, 3));
      }
      try (RunJournal journal = RunJournal.resume(file(), keeps, IDENTITY)) {
        assertThat(journal.run()).isEqualTo(7);
        assertThat(journal.answered()).isEqualTo(2);
        assertThat(held(journal)).isEqualTo(keeps == READINGS ? List.of(1L, 2L, 3L) : List.of());
      }
    }
  }

  /** What cannot be made shorter is good as it is, and is not tried with each reading. */
  @Test
  void isWholeWhereItCannotBeCompacted() throws IOException {
    Path inTheWay = file().resolveSibling(RunJournal.FILE + ".new").resolve("folder");
    try (RunJournal journal = begin()) {
      Files.createDirectories(inTheWay); // No file can be made under this name.
      long longest = 0;
      for (long i = 1; i <= 80; i++) {
        journal.sent(reading(i, 10_000));
        journal.answered(reading(i, 10_000), outcome(i - 1));
        journal.compact(Long.MAX_VALUE);
        longest = Math.max(longest, Files.size(file()));
        if (i == 40) { // It was too long at a megabyte.
          Files.delete(inTheWay);
        }
      }
      assertThat(longest).isBetween(2_000_000L, 2_400_000L);
      assertThat(Files.size(file())).isLessThan(1_200_000);
    }
    try (RunJournal journal = resume()) {
      assertThat(journal.answered()).isEqualTo(80);
      assertThat(held(journal)).containsExactly(80L);
    }
  }

  /** The file stays about as long as what is held, and a kill at any compaction loses nothing. */
  @Test
  void leavesOutWhatIsInACheckpoint() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    TreeMap<Long, Boolean> answered = new TreeMap<>();
    long durable = 0;
    try (RunJournal journal = begin()) {
      for (long i = 1; i <= 2000; i++) {
        journal.sent(reading(i, 500));
        answered.put(i, random.nextInt(50) > 0);
        if (answered.get(i)) {
          durable = Math.max(durable, i - 50 - random.nextInt(200));
          journal.answered(reading(i, 500), outcome(durable));
          journal.compact(Long.MAX_VALUE);
        }
        if (i % 400 == 0) {
          assertThat(Files.size(file())).isLessThan(4_000_000);
          Path copy = folder.resolve("killed").resolve(RunJournal.FILE);
          Files.createDirectories(copy.getParent());
          Files.write(copy, Files.readAllBytes(file()));
          try (RunJournal left = RunJournal.resume(copy, READINGS, IDENTITY)) {
            assertThat(left.firstHeld()).isEqualTo(durable + 1);
            for (long each = durable + 1; each <= i; each++) {
              assertThat(left.hasOutcome(each)).isEqualTo(answered.get(each));
            }
            assertThat(held(left))
                .containsExactlyElementsOf(LongStream.rangeClosed(durable + 1, i).boxed().toList());
          }
        }
      }
    }
  }

  @Test
  void refusesAnotherRunAndAnotherFormat() throws IOException {
    begin().close();
    Map<String, String> other = Map.of("robot", "one", "seed", "5", "more", "x");
    assertThatThrownBy(() -> RunJournal.resume(file(), READINGS, other))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("more was not set and is x now; seed was 1 and is 5 now");
    try (BlockLog log = new BlockLog(file(), "")) {
      byte[] head = ByteBuffer.allocate(40).putInt(99).array();
      log.rewrite(List.of(BlockLog.Block.inMemory(head)), true);
    }
    assertThatThrownBy(this::resume).hasMessageContaining("has format 99");
    Files.delete(file());
    assertThatThrownBy(this::resume).hasMessageContaining("there is nothing to resume");
  }
}
