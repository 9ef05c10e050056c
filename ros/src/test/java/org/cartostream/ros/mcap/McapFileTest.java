package org.cartostream.ros.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.ros.message.RosString;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class McapFileTest {

  private static final int MESSAGES = 40;

  @TempDir private Path folder;

  private static final byte[][] CONTENTS =
      IntStream.range(0, MESSAGES).mapToObj(McapFileTest::random).toArray(byte[][]::new);

  private static byte[] message(int i) {
    return CONTENTS[i];
  }

  private static byte[] random(int i) {
    byte[] bytes = new byte[150_000]; // Some in a chunk.
    new Random(i).nextBytes(bytes);
    return bytes;
  }

  /** Messages of two topics by turns. */
  private Path written() throws IOException {
    Path file = folder.resolve("run.mcap");
    try (McapWriter writer = McapWriter.create(file, "a test")) {
      McapWriter.Channel even = writer.topic("/even", RosString.TYPE);
      McapWriter.Channel odd = null;
      for (int i = 0; i < MESSAGES; i++) {
        if (i == 1) {
          odd = writer.jsonTopic("/odd");
        }
        writer.write(i % 2 == 0 ? even : odd, 1000 + i, message(i));
      }
    }
    return file;
  }

  private static List<McapFile.Message> all(McapFile file) throws IOException {
    List<McapFile.Message> all = new ArrayList<>();
    for (int chunk = 0; chunk < file.chunks(); chunk++) {
      all.addAll(file.messages(chunk));
    }
    return all;
  }

  private static void assertAreTheFirst(List<McapFile.Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      McapFile.Message each = messages.get(i);
      assertThat(each.topic()).isEqualTo(i % 2 == 0 ? "/even" : "/odd");
      assertThat(each.stampNanos()).isEqualTo(1000 + i);
      assertThat(each.bytes()).isEqualTo(message(i));
    }
  }

  @Test
  void itsChunksHoldWhatWasWritten() throws IOException {
    try (McapFile file = McapFile.open(written())) {
      assertThat(file.hasEnd()).isTrue();
      assertThat(file.chunks()).isGreaterThan(3);
      List<McapFile.Message> all = all(file);
      assertThat(all).hasSize(MESSAGES);
      assertAreTheFirst(all);
      assertThat(file.damagedChunks()).isZero();
    }
  }

  /** The topics are described in the first chunk alone. */
  @Test
  void theLastChunkCanBeReadFirst() throws IOException {
    Path file = written();
    cutTo(file, Files.size(file) - 1);
    for (boolean cut : new boolean[] {false, true}) {
      try (McapFile read = McapFile.open(cut ? file : written())) {
        assertThat(read.messages(read.chunks() - 1)).extracting("topic").contains("/even", "/odd");
      }
    }
  }

  @Test
  void aFileThatIsCutOffAnywhereIsReadUpToItsLastWholeChunk() throws IOException {
    byte[] whole = Files.readAllBytes(written());
    Path cut = folder.resolve("cut.mcap");
    int most = 0;
    Random random = new Random(7);
    for (int i = 0; i < 40; i++) {
      int length = 60 + random.nextInt(whole.length - 60);
      Files.write(cut, Arrays.copyOf(whole, length));
      try (McapFile file = McapFile.open(cut)) {
        List<McapFile.Message> all = all(file);
        assertThat(file.hasEnd()).isFalse();
        assertAreTheFirst(all);
        // What is missing is less than a chunk and what was packed into the next.
        assertThat(all.size()).isGreaterThanOrEqualTo((length - 2_500_000) / 150_100);
        most = Math.max(most, all.size());
      }
    }
    assertThat(most).isGreaterThan(MESSAGES / 2);
  }

  private static void cutTo(Path file, long length) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) length));
  }

  @Test
  void aDamagedChunkIsLeftOutAndCounted() throws IOException {
    Path file = written();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x55;
    Files.write(file, bytes);
    try (McapFile read = McapFile.open(file)) {
      assertThat(all(read)).hasSizeBetween(MESSAGES - 10, MESSAGES - 1);
      assertThat(read.damagedChunks()).isEqualTo(1);
    }
  }

  /** Whatever is wrong with its end, it is not waited for, and nothing is made up. */
  @Test
  void aDamagedEndIsAsIfThereWereNone() throws IOException {
    byte[] whole = Files.readAllBytes(written());
    Path file = folder.resolve("bad.mcap");
    Random random = new Random(11);
    for (int i = 0; i < 60; i++) {
      byte[] bytes = whole.clone();
      bytes[bytes.length - 1 - random.nextInt(400)] = (byte) random.nextInt(256);
      Files.write(file, bytes);
      try (McapFile read = McapFile.open(file)) {
        for (McapFile.Message each : all(read)) {
          assertThat(each.bytes()).isEqualTo(message((int) each.stampNanos() - 1000));
        }
      }
    }
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path file = folder.resolve("map.pgm");
    Files.write(file, "P5 1 1 255 x".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> McapFile.open(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " is no MCAP file: it does not begin as one does");
  }
}
