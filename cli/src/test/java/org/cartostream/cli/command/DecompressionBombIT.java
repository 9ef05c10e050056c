package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that a process of a small heap is asked to read, and that unpack to more than it holds: one
 * of each format.
 */
@Nightly
class DecompressionBombIT {

  private static final int HEAP_MEGABYTES = 256;

  /** More than the heap. */
  private static final int BOMB_BYTES = 400 << 20;

  @TempDir private Path folder;

  /** What packs bytes. */
  private interface Packing {
    OutputStream of(OutputStream out) throws IOException;
  }

  /** Zeros behind a beginning, packed. */
  private static byte[] packed(Packing packing, byte[] beginning) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = packing.of(bytes)) {
      out.write(beginning);
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < BOMB_BYTES >> 20; i++) {
        out.write(zeros);
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(Object... parts) {
    ByteBuffer all = ByteBuffer.allocate(1 << 24).order(ByteOrder.LITTLE_ENDIAN);
    for (Object part : parts) {
      if (part instanceof Integer number) {
        all.putInt(number);
      } else if (part instanceof Long number) {
        all.putLong(number);
      } else if (part instanceof Byte number) {
        all.put(number);
      } else if (part instanceof String text) {
        all.put(text.getBytes(StandardCharsets.US_ASCII));
      } else {
        all.put((byte[]) part);
      }
    }
    byte[] bytes = new byte[all.position()];
    all.flip().get(bytes);
    return bytes;
  }

  private static byte[] field(String name, Object value) {
    byte[] field = joined(name + "=", value);
    return joined(field.length, field);
  }

  private static byte[] header(byte[]... fields) {
    byte[] header = joined((Object[]) fields);
    return joined(header.length, header);
  }

  /** A bag with one chunk, of one message. */
  private Path bag(String compression, Packing packing) throws IOException {
    byte[] message =
        joined(header(field("op", (byte) 2), field("conn", 0), field("time", 0L)), BOMB_BYTES);
    byte[] chunk = packed(packing, message);
    byte[] file =
        joined(
            "#ROSBAG V2.0\n",
            header(
                field("op", (byte) 3),
                field("index_pos", 0L),
                field("conn_count", 1),
                field("chunk_count", 1)),
            0,
            header(
                field("op", (byte) 5),
                field("compression", compression),
                field("size", message.length + BOMB_BYTES)),
            chunk.length,
            chunk);
    return Files.write(folder.resolve("bomb.bag"), file);
  }

  /** An MCAP file with one chunk. */
  private Path mcap(String compression, Packing packing) throws IOException {
    byte[] chunk = packed(packing, new byte[0]);
    byte[] record =
        joined(
            0L,
            0L,
            (long) BOMB_BYTES,
            0,
            compression.length(),
            compression,
            (long) chunk.length,
            chunk);
    byte[] magic = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
    return Files.write(
        folder.resolve("bomb.mcap"), joined(magic, (byte) 6, (long) record.length, record));
  }

  /** The lines that a process prints that reads a file in vain. */
  private List<String> complaints(Path file) throws Exception {
    assertThat(Files.size(file)).as("bytes of the bomb").isLessThan(10 << 20);
    Path output = folder.resolve("output");
    Process process =
        CartostreamProcess.start(
            output,
            Map.of("JAVA_TOOL_OPTIONS", "-Xmx" + HEAP_MEGABYTES + "m"),
            "replay",
            file,
            "--engine",
            "serial",
            "--particles",
            2,
            "--out",
            folder.resolve("out"));
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    List<String> lines = Files.readAllLines(output);
    lines.removeIf(line -> line.startsWith("Picked up"));
    assertThat(lines).noneMatch(line -> line.contains("--particles") || line.contains("\tat "));
    return lines;
  }

  private void refuses(Path file, String... words) throws Exception {
    List<String> lines = complaints(file);
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).startsWith("cartostream: " + file).contains(words);
  }

  @Test
  void bagPackedByBzip2() throws Exception {
    Path file = bag("bz2", BZip2CompressorOutputStream::new);
    refuses(file, "a record is 419430400 bytes long", "a heap of 1601 MiB holds it (-Xmx1601m)");
  }

  @Test
  void bagPackedByLz4() throws Exception {
    Path file = bag("lz4", FramedLZ4CompressorOutputStream::new);
    refuses(file, "a record is 419430400 bytes long", "a heap of 1601 MiB holds it (-Xmx1601m)");
  }

  @Test
  void mcapChunkPackedByZstd() throws Exception {
    Path file = mcap("zstd", ZstdOutputStream::new);
    refuses(file, "at byte 8 a chunk", "more than 10000 times as long", "as no recording is");
  }

  @Test
  void mcapChunkPackedByLz4() throws Exception {
    Path file = mcap("lz4", FramedLZ4CompressorOutputStream::new);
    refuses(file, "at byte 8 a chunk", "a heap of 1601 MiB holds it (-Xmx1601m)");
  }

  @Test
  void databaseOfRosbag2PackedAsAWhole() throws Exception {
    byte[] bytes = packed(ZstdOutputStream::new, new byte[0]);
    Path file = Files.write(folder.resolve("bomb.db3.zstd"), bytes);
    refuses(file, "more than 10000 times as long", "unpack it by unzstd");
  }

  @Test
  void messageInADatabaseOfRosbag2() throws Exception {
    byte[] message = Zstd.compress(new byte[BOMB_BYTES]);
    Path file = folder.resolve("bomb.db3");
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement make = database.createStatement()) {
      make.execute("CREATE TABLE topics(id INTEGER, name TEXT, type TEXT, serialization_format)");
      make.execute("CREATE TABLE messages(id INTEGER, topic_id INTEGER, timestamp INTEGER, data)");
      make.execute(
          "INSERT INTO topics VALUES(1, '/scan', '" + LaserScan.TYPE.ros2Name() + "', 'cdr')");
      try (PreparedStatement add =
          database.prepareStatement("INSERT INTO messages VALUES(1, 1, 1, ?)")) {
        add.setBytes(1, message);
        add.execute();
      }
    }
    // A message is refused with its reason, as others are, and the rest of the file is read.
    assertThat(complaints(file))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("on /scan", "more than 16777216 bytes", "the heap of 256 MiB"));
  }

  @Test
  void logPackedByGzip() throws Exception {
    byte[] bytes = packed(GZIPOutputStream::new, new byte[0]);
    Path file = Files.write(folder.resolve("bomb.clf.gz"), bytes);
    refuses(file, "more than 800 times", "name it unpacked");
  }

  @Test
  void logInAZipArchive() throws Exception {
    byte[] bytes =
        packed(
            out -> {
              ZipOutputStream zip = new ZipOutputStream(out);
              zip.putNextEntry(new ZipEntry("bomb.clf"));
              return zip;
            },
            new byte[0]);
    Path file = Files.write(folder.resolve("bomb.zip"), bytes);
    refuses(file, "more than 800 times", "name it unpacked");
  }
}
