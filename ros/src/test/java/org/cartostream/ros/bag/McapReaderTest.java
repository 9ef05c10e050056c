package org.cartostream.ros.bag;

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
import org.cartostream.ros.node.TopicQos;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class McapReaderTest {

  private static final int MESSAGES = 40;

  @TempDir private Path folder;

  private static final byte[][] CONTENTS =
      IntStream.range(0, MESSAGES).mapToObj(McapReaderTest::random).toArray(byte[][]::new);

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
      McapWriter.Channel even = writer.topic("/even", RosString.TYPE, TopicQos.RELIABLE);
      McapWriter.Channel odd = null;
      for (int i = 0; i < MESSAGES; i++) {
        if (i == 1) {
          odd = writer.topic("/odd", RosString.TYPE, TopicQos.RELIABLE);
        }
        writer.write(i % 2 == 0 ? even : odd, 1000 + i, message(i));
      }
    }
    return file;
  }

  private static List<McapMessage> all(McapReader file) throws IOException {
    List<McapMessage> all = new ArrayList<>();
    for (McapMessage each = file.next(); each != null; each = file.next()) {
      all.add(each);
    }
    return all;
  }

  private static void assertAreTheFirst(List<McapMessage> messages) {
    for (int i = 0; i < messages.size(); i++) {
      McapMessage each = messages.get(i);
      assertThat(each.topic()).isEqualTo(i % 2 == 0 ? "/even" : "/odd");
      assertThat(each.atNanos()).isEqualTo(1000 + i);
      assertThat(each.bytes()).isEqualTo(message(i));
    }
  }

  @Test
  void itHoldsWhatWasWritten() throws IOException {
    try (McapReader file = McapReader.open(written())) {
      List<McapMessage> all = all(file);
      assertThat(all).hasSize(MESSAGES);
      assertAreTheFirst(all);
      assertThat(file.hasEnd()).isTrue();
      assertThat(file.unreadParts()).isZero();
    }
  }

  @Test
  void whatWasReadIsReadAgainByItsPlace() throws IOException {
    Path file = written();
    cutTo(file, Files.size(file) - 1);
    try (McapReader read = McapReader.open(file)) {
      List<McapReader.Place> places = new ArrayList<>();
      while (read.next() != null) {
        places.add(read.place());
      }
      assertThat(read.hasEnd()).isFalse();
      assertThat(places.stream().map(McapReader.Place::record).distinct()).hasSizeGreaterThan(3);
      for (int i = MESSAGES - 1; i >= 0; i -= 3) {
        McapReader.Place place = places.get(i);
        McapMessage again = read.messages(place.record()).get(place.number());
        assertThat(again.topic()).isEqualTo(i % 2 == 0 ? "/even" : "/odd");
        assertThat(again.bytes()).isEqualTo(message(i));
      }
    }
  }

  @Test
  void aFileThatIsCutOffAnywhereIsReadUpToItsLastWholeChunk() throws IOException {
    byte[] whole = Files.readAllBytes(written());
    Path cut = folder.resolve("cut.mcap");
    int max = 0;
    Random random = new Random(7);
    for (int i = 0; i < 40; i++) {
      int length = 60 + random.nextInt(whole.length - 60);
      Files.write(cut, Arrays.copyOf(whole, length));
      try (McapReader file = McapReader.open(cut)) {
        List<McapMessage> all = all(file);
        assertThat(file.hasEnd()).isFalse();
        assertAreTheFirst(all);
        // What is missing is less than a chunk and what was packed into the next.
        assertThat(all.size()).isGreaterThanOrEqualTo((length - 2_500_000) / 150_100);
        max = Math.max(max, all.size());
      }
    }
    assertThat(max).isGreaterThan(MESSAGES / 2);
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
    try (McapReader read = McapReader.open(file)) {
      assertThat(all(read)).hasSizeBetween(MESSAGES - 10, MESSAGES - 1);
      assertThat(read.unreadParts()).isEqualTo(1);
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
      try (McapReader read = McapReader.open(file)) {
        for (McapMessage each : all(read)) {
          assertThat(each.bytes()).isEqualTo(message((int) each.atNanos() - 1000));
        }
      }
    }
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path file = folder.resolve("map.pgm");
    Files.write(file, "P5 1 1 255 x".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> McapReader.open(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " is no MCAP file: it does not begin as one does");
  }
}
