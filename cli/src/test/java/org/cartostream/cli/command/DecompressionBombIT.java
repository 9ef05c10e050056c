package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.ros.local.CraftedFile.bagChunk;
import static org.cartostream.ros.local.CraftedFile.connection;
import static org.cartostream.ros.local.CraftedFile.field;
import static org.cartostream.ros.local.CraftedFile.joined;
import static org.cartostream.ros.local.CraftedFile.mcapChunk;
import static org.cartostream.ros.local.CraftedFile.mcapRecord;
import static org.cartostream.ros.local.CraftedFile.messageHeader;
import static org.cartostream.ros.local.CraftedFile.sized;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.ros.local.CraftedFile;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that a process of a small heap is asked to read, and that unpack to more than it holds, or
 * fill it with what they have: some of each format.
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

  /** A bag with one chunk, of one message. */
  private Path bag(String compression, Packing packing) throws IOException {
    byte[] message = joined(messageHeader(0), BOMB_BYTES);
    return Files.write(
        folder.resolve("bomb.bag"),
        CraftedFile.bag(bagChunk(compression, packed(packing, message))));
  }

  /** An MCAP file with one chunk. */
  private Path mcap(String compression, Packing packing) throws IOException {
    byte[] chunk = mcapChunk(compression, BOMB_BYTES, packed(packing, new byte[0]));
    return Files.write(folder.resolve("bomb.mcap"), CraftedFile.mcap(chunk));
  }

  /** The lines that a process prints that reads a file in vain. */
  private List<String> complaints(Path file, Object... more) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        CartostreamProcess.start(
            output,
            Map.of("JAVA_TOOL_OPTIONS", "-Xmx" + HEAP_MEGABYTES + "m"),
            Stream.concat(
                    Stream.of("replay", file, "--engine", "serial", "--particles", 2),
                    Stream.concat(Stream.of(more), Stream.of("--out", folder.resolve("out"))))
                .toArray());
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

  /** Each by itself is unpacked on any machine; all are 24 GB. */
  @Test
  void manySmallMcapChunks() throws Exception {
    byte[] zeros = new byte[60 << 20];
    byte[] chunk = mcapChunk("zstd", zeros.length, Zstd.compress(zeros));
    Object[] chunks = Collections.nCopies(400, chunk).toArray();
    Path file = Files.write(folder.resolve("many.mcap"), CraftedFile.mcap(chunks));
    refuses(file, "unpacks to more than 2000 times its", "as no recording does");
  }

  /** A quarter of the heap in one chunk, which the scans' reader and that of odometry hold each. */
  private static final int LARGE_BYTES = 60 << 20;

  @Test
  void largeMessageInABag() throws Exception {
    byte[] topic =
        connection(0, "/scan", field("type", "s"), field("md5sum", LaserScan.TYPE.md5()));
    byte[] message = joined(messageHeader(0), sized(new byte[LARGE_BYTES]));
    byte[] chunk = bagChunk("none", joined(topic, message, message));
    Path file = Files.write(folder.resolve("large.bag"), CraftedFile.bag(chunk));
    refuses(file, "a chunk is left out", "more than a quarter of the heap");

    byte[] fits = bagChunk("none", joined(topic, message));
    Files.write(file, CraftedFile.bag(fits, fits));
    assertThat(complaints(file)).anyMatch(line -> line.contains("more than 16777216 bytes"));
  }

  @Test
  void largeMessageInAnMcapFile() throws Exception {
    byte[] none = sized("");
    byte[] topic =
        joined(
            mcapRecord(3, (short) 1, sized(LaserScan.TYPE.ros2Name()), none, none),
            mcapRecord(4, (short) 1, (short) 1, sized("/scan"), sized("cdr"), 0));
    byte[] message = mcapRecord(5, (short) 1, 0, 1L, 1L, new byte[LARGE_BYTES]);
    byte[] all = joined(topic, message);
    byte[] plain = mcapChunk("", all.length, all);
    byte[] packed = mcapChunk("zstd", all.length, Zstd.compress(all));
    Path file = folder.resolve("large.mcap");
    Files.write(file, CraftedFile.mcap(plain, packed, plain, packed));
    assertThat(complaints(file)).anyMatch(line -> line.contains("more than 16777216 bytes"));
  }

  @Test
  void pictureOfAMap() throws Exception {
    try (RandomAccessFile picture = new RandomAccessFile(folder.resolve("m.pgm").toFile(), "rw")) {
      picture.writeBytes("P5 8000 8000 255\n");
      picture.setLength(picture.length() + 8000 * 8000);
    }
    Path map = folder.resolve("m.yaml");
    Files.writeString(map, "image: m.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    assertThat(complaints(Logs.OFFICE, "--localise", map))
        .singleElement()
        .asString()
        .contains("m.pgm has 8000 x 8000 pixels, more than the heap of 256 MiB", "(-Xmx977m)");
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
