package org.cartostream.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cartostream.ros.local.CraftedFile.bag;
import static org.cartostream.ros.local.CraftedFile.bagChunk;
import static org.cartostream.ros.local.CraftedFile.connection;
import static org.cartostream.ros.local.CraftedFile.field;
import static org.cartostream.ros.local.CraftedFile.joined;
import static org.cartostream.ros.local.CraftedFile.mcap;
import static org.cartostream.ros.local.CraftedFile.mcapChunk;
import static org.cartostream.ros.local.CraftedFile.mcapRecord;
import static org.cartostream.ros.local.CraftedFile.messageHeader;
import static org.cartostream.ros.local.CraftedFile.sized;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that somebody wrote to do harm: they are read as far as they make sense, or refused by a
 * sentence, in little memory and time, and nothing else of this computer is read.
 */
@Quick
@Timeout(60)
class HostileFileTest {

  private static final int MAX_MEBIBYTES = 128;
  private static final int MAX_SENTENCE_LENGTH = 1000;
  private static final String LETTERS = "l".repeat(60_000);

  @TempDir private Path folder;

  /** What is read of a file, and said of it. */
  private record Read(List<MessageFile.RecordedMessage> messages, String damages) {}

  private static Read read(Path path) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    List<MessageFile.RecordedMessage> messages = new ArrayList<>();
    assertThat(MessageFile.isMessageFile(path)).isTrue();
    try (MessageFile file = MessageFile.open(List.of(path))) {
      for (MessageFile.RecordedMessage each = file.next(); each != null; each = file.next()) {
        assertThat(each.topic().length() + each.type().length()).isLessThan(MAX_SENTENCE_LENGTH);
        messages.add(each);
      }
      return new Read(messages, String.join("; ", file.coverage().damages()));
    } finally {
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(bytes >> 20).as("MiB that were taken").isLessThan(MAX_MEBIBYTES);
    }
  }

  private Read read(String name, byte[] file) throws IOException {
    return read(Files.write(folder.resolve(name), file));
  }

  private static byte[] lz4(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (FramedLZ4CompressorOutputStream out = new FramedLZ4CompressorOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] many(int count, IntFunction<byte[]> part) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(part.apply(i));
    }
    return all.toByteArray();
  }

  // --- lengths that are not those of what follows ------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 400_000_000})
  void aLengthInABagIsNoReasonToTakeMemory(int length) throws IOException {
    byte[] bytes = new byte[100];
    byte[] chunk =
        sized(field("op", (byte) 5), field("compression", "none"), field("size", length));
    byte[] inside = joined(messageHeader(0), length, bytes);
    assertThat(read("a.bag", bag(length, bytes)).damages).contains("bytes are no record");
    assertThat(read("b.bag", bag(messageHeader(0), length, bytes)).damages)
        .contains("ends inside a record");
    assertThat(read("c.bag", bag(chunk, length, bytes)).damages).contains("beyond the file's end");
    for (byte[] each : List.of(bagChunk("none", inside), bagChunk("lz4", lz4(inside)))) {
      String damages = read("d.bag", bag(each)).damages;
      assertThat(damages).contains(length < 0 ? "connections that it does not" : "a chunk ");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Integer.MIN_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, 400_000_000})
  void aLengthInAnMcapFileIsNoReasonToTakeMemory(long length) throws IOException {
    byte[] bytes = new byte[100];
    assertThat(read("a.mcap", mcap((byte) 5, length, bytes)).damages)
        .contains("the last 109 bytes");
    for (String compression : List.of("", "lz4", "zstd")) {
      assertThat(read("b.mcap", mcap(mcapChunk(compression, length, bytes))).damages)
          .contains("a chunk of 0.0 s is left out");
    }
    byte[] early = joined((byte) 6, 8L, length, mcapChunk("", 0, new byte[0]));
    assertThat(read("f.mcap", mcap(early)).damages).contains("a record is shorter than its fields");
    byte[] packed = mcapRecord(6, 0L, 0L, 100L, 0, sized("zstd"), length, bytes);
    assertThat(read("c.mcap", mcap(packed)).damages).contains("its lengths do not fit");
    byte[] name = mcapRecord(3, (short) 1, (int) length, "name");
    assertThat(read("d.mcap", mcap(name)).damages).contains("a record is shorter than its fields");
    byte[] inside = joined((byte) 5, length, bytes);
    assertThat(read("e.mcap", mcap(mcapChunk("", inside.length, inside))).damages)
        .contains("a chunk has a record that is shorter than its fields");
  }

  // --- names and numbers of them -----------------------------------------------------------------

  @Test
  void longNamesAreCutOff() throws IOException {
    byte[] message = joined(messageHeader(0), sized(new byte[10]));
    byte[] topic = connection(0, LETTERS, field("type", LETTERS), field("md5sum", LETTERS));
    assertThat(read("a.bag", bag(bagChunk("none", joined(topic, message)))).messages).hasSize(1);

    byte[] name = sized(LETTERS);
    byte[] schema = mcapRecord(3, (short) 1, name, name, name);
    byte[] channel = mcapRecord(4, (short) 1, (short) 1, name, name, 0);
    assertThat(
            read("a.mcap", mcap(schema, channel, mcapRecord(5, (short) 1, 0, 1L, 1L, "m")))
                .messages)
        .hasSize(1);
  }

  @Test
  void aLongNameOfAPackingIsCutOffInTheSentence() throws IOException {
    for (byte[] each :
        List.of(bag(bagChunk(LETTERS, new byte[9])), mcap(mcapChunk(LETTERS, 9, new byte[9])))) {
      assertThatThrownBy(() -> read("packed", each))
          .isInstanceOf(BagFormatException.class)
          .message()
          .contains("packed is packed by 'lllll", "...'; none, ")
          .hasSizeLessThan(MAX_SENTENCE_LENGTH);
    }
  }

  @Test
  void ofTooManyTopicsTheFirstAreTaken() throws IOException {
    byte[] connections = many(5000, i -> connection(i, "/t" + i, field("type", "t")));
    byte[] messages = joined(messageHeader(4000), sized("m"), messageHeader(4999), sized("m"));
    Read bag = read("a.bag", bag(bagChunk("none", joined(connections, messages))));
    assertThat(bag.messages).singleElement().extracting("topic").isEqualTo("/t4000");

    byte[] none = sized("");
    byte[] channels =
        many(5000, i -> mcapRecord(4, (short) i, (short) 0, sized("/t" + i), none, 0));
    byte[] last = mcapRecord(5, (short) 4999, 0, 1L, 1L, "m");
    Read mcap = read("a.mcap", mcap(channels, mcapRecord(5, (short) 4000, 0, 1L, 1L, "m"), last));
    assertThat(mcap.messages).singleElement().extracting("topic").isEqualTo("/t4000");

    for (Read each : List.of(bag, mcap)) {
      assertThat(each.damages)
          .contains("describes more than 4096 topics; the others are left out")
          .contains("1 messages are of ");
    }
  }

  @Test
  void aRecordOfVeryManyFieldsIsNone() throws IOException {
    byte[] fields = many(10_000, i -> field("f" + i, ""));
    byte[] message = joined(messageHeader(0), sized(new byte[10]));
    byte[] chunk = joined(connection(0, "/t", fields), message);
    assertThat(read("a.bag", bag(bagChunk("none", chunk))).damages)
        .contains("1 messages are of connections that it does not describe");
  }

  // --- what would be looked for again and again --------------------------------------------------

  @Test
  void manyChunksThatCannotBeUnpackedArePassedOver() throws IOException {
    byte[] bag = many(10_000, i -> bagChunk("abc", new byte[100]));
    assertThatThrownBy(() -> read("a.bag", bag(bag))).hasMessageContaining("packed by 'abc'");
    byte[] mcap = many(10_000, i -> mcapChunk("abc", 100, new byte[100]));
    assertThatThrownBy(() -> read("a.mcap", mcap(mcap))).hasMessageContaining("packed by 'abc'");
  }

  /** Each holds all that follow it. */
  @Test
  void chunksWithinChunksAreReadOnce() throws IOException {
    int count = 3000;
    byte[] header = sized(field("op", (byte) 5), field("compression", "bz2"), field("size", 9));
    int bagBytes = header.length + Integer.BYTES;
    byte[] bag = many(count, i -> joined(header, (count - 1 - i) * bagBytes));
    assertThat(read("a.bag", bag(bag)).damages).contains("a chunk cannot be unpacked");

    int mcapBytes = mcapChunk("zstd", 9, new byte[0]).length;
    byte[] mcap =
        many(
            count,
            i -> {
              long left = (long) (count - 1 - i) * mcapBytes;
              return joined((byte) 6, left + mcapBytes - 9, 0L, 0L, 9L, 0, sized("zstd"), left);
            });
    assertThat(read("a.mcap", mcap(mcap)).damages).contains("a chunk of 0.0 s is left out");
  }

  @Test
  void whatLooksLikeTheBeginningOfChunksIsPassedOver() throws IOException {
    byte[] lengths = many(60, i -> joined(65_000));
    byte[] bag = many(3000, i -> joined(lengths, field("op", (byte) 5)));
    assertThat(read("a.bag", bag(-1, bag)).damages).contains("are no record");
  }

  // --- folders -----------------------------------------------------------------------------------

  private Path database(String name, String... statements) throws Exception {
    Path made = folder.resolve("made.db3");
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + made);
        Statement make = database.createStatement()) {
      for (String each : statements) {
        make.execute(each);
      }
    }
    return Files.move(made, folder.resolve(name));
  }

  private static final String TOPICS =
      "CREATE TABLE topics(id INTEGER, name TEXT, type TEXT, serialization_format TEXT)";
  private static final String MESSAGES =
      "CREATE TABLE messages(id INTEGER, topic_id INTEGER, timestamp INTEGER, data BLOB)";
  private static final String TOPIC = "INSERT INTO topics VALUES(1, '/t', 't', 'cdr')";
  private static final String MESSAGE = "INSERT INTO messages VALUES(1, 1, 1, x'00')";

  private Path recording(String key, String value) throws Exception {
    Path recording = Files.createDirectories(folder.resolve("recording"));
    Files.writeString(
        recording.resolve("metadata.yaml"),
        "rosbag2_bagfile_information:\n  " + key + ": " + value + "\n");
    return recording;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "../..",
        "''",
        "/",
        "/etc/passwd",
        "metadata.yaml",
        "\"a\\0.db3\"",
        "{a: b}",
        "[[[a.db3]]]"
      })
  void whatIsNoNameOfAFileIsRefused(String name) throws Exception {
    database("passwd", TOPICS, MESSAGES, TOPIC, MESSAGE);
    Path recording = recording("relative_file_paths", "[" + name + "]");
    assertThatThrownBy(() -> read(recording))
        .isInstanceOf(BagFormatException.class)
        .hasMessageContaining("metadata.yaml names '")
        .hasMessageContaining("which is no file name that ends in [.mcap, .db3, .zstd]");
  }

  @Test
  void nothingOutsideOfTheFolderIsRead() throws Exception {
    Path outside = database("outside.db3", TOPICS, MESSAGES, TOPIC, MESSAGE);
    for (String name : List.of("../outside.db3", outside.toString())) {
      Path recording = recording("relative_file_paths", "['" + name + "']");
      assertThatThrownBy(() -> read(recording))
          .hasMessageContaining("names outside.db3, which is not there");
    }

    Path recording = recording("relative_file_paths", "[link.db3]");
    Path link = Files.createSymbolicLink(recording.resolve("link.db3"), outside);
    assertThatThrownBy(() -> read(recording)).hasMessageContaining("link out of it");
    Files.delete(recording.resolve("metadata.yaml"));
    assertThatThrownBy(() -> read(recording)).hasMessageContaining("link out of it");

    Files.delete(link);
    Files.createSymbolicLink(recording.resolve("metadata.yaml"), Path.of("/dev/zero"));
    assertThatThrownBy(() -> read(recording)).hasMessageContaining("device, or link out of it");

    Files.delete(recording.resolve("metadata.yaml"));
    Files.createDirectories(recording.resolve("folder.db3"));
    assertThatThrownBy(() -> read(recording)).hasMessageContaining("but a folder, pipe, device");
  }

  @Test
  void whatMetadataSaysIsBounded() throws Exception {
    String aliases =
        "&a0 [a, a]\n"
            + new String(
                many(40, i -> joined("  a" + (i + 1) + ": &a" + (i + 1) + " [*a" + i + ", *a" + i)),
                StandardCharsets.US_ASCII);
    for (String value :
        List.of(
            "[".repeat(20_000) + "]".repeat(20_000),
            "[!!javax.script.ScriptEngineManager [a.db3]]",
            "['" + LETTERS + "']",
            "['" + "n".repeat(5_000_000) + "']",
            aliases)) {
      Path recording = recording("relative_file_paths", value);
      assertThatThrownBy(() -> read(recording))
          .isInstanceOf(BagFormatException.class)
          .message()
          .hasSizeLessThan(MAX_SENTENCE_LENGTH);
    }
    Path recording = recording("compression_format", LETTERS);
    assertThatThrownBy(() -> read(recording)).message().hasSizeLessThan(MAX_SENTENCE_LENGTH);
  }

  // --- databases ---------------------------------------------------------------------------------

  @Test
  void aViewIsNoTable() throws Exception {
    String endless =
        "CREATE VIEW messages AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"
            + " SELECT n AS id, 1 AS topic_id, n AS timestamp, x'00' AS data FROM c";
    Path file = database("a.db3", TOPICS, TOPIC, endless);
    assertThatThrownBy(() -> read(file))
        .hasMessageContaining("is no database of rosbag2: it needs the tables");
    // Even if the schema says that it is one.
    Path disguised =
        database(
            "b.db3",
            TOPICS,
            TOPIC,
            endless,
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET type = 'table' WHERE name = 'messages'");
    assertThatThrownBy(() -> read(disguised)).hasMessageContaining("is no database of rosbag2");
  }

  /**
   * SQLite's driver takes what follows a question mark for settings, as that code may be loaded.
   */
  @Test
  void theNameOfADatabaseIsNoMoreThanThat() throws Exception {
    database("a.db3", TOPICS, MESSAGES);
    for (String name : List.of("a.db3?enable_load_extension=true", "a %3f#ü.db3")) {
      Path file = database(name, TOPICS, MESSAGES, TOPIC, MESSAGE);
      assertThat(read(file).messages).as(name).hasSize(1);
    }
  }

  /** Joined, they would be a million rows, sorted before the first is there. */
  @Test
  void topicsOfOneNumberDoNotMultiplyMessages() throws Exception {
    String thousand = " FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c";
    thousand += " WHERE n < 1000) SELECT n FROM c)";
    Path file =
        database(
            "a.db3",
            TOPICS,
            MESSAGES,
            "INSERT INTO topics SELECT 1, '/t' || n, 't', 'cdr'" + thousand,
            "INSERT INTO messages SELECT n, 1, 1000 - n, x'00'" + thousand,
            "INSERT INTO messages VALUES(1001, 2, 1, x'00')");
    Read read = read(file);
    assertThat(read.messages).hasSize(1000).extracting("topic").containsOnly("/t1");
    assertThat(read.damages).contains("1 messages are of none of the first 4096 topics");
  }

  @Test
  void longTextsOfADatabaseAreCutOff() throws Exception {
    String text = "replace(hex(zeroblob(500000)), '0', 't')";
    Path file =
        database(
            "a.db3",
            TOPICS,
            MESSAGES,
            MESSAGE,
            "INSERT INTO topics VALUES(1, " + String.join(", ", text, text, text) + ")");
    assertThat(read(file).messages).hasSize(1);
  }
}
