package org.cartostream.collectives.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ring brings all bytes in order, and neither end believes what the file cannot hold. */
@Quick
class ByteRingTest {

  private static final long SEED = 59;
  private static final int SIZE = 60;

  @TempDir private Path folder;
  private Path file;
  private ByteRing writer;
  private ByteRing reader;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("ring");
    writer = ByteRing.create(file, SIZE);
    reader = ByteRing.open(file, SIZE);
  }

  @Test
  void bytesComeInOrderWhateverIsWrittenAndReadAtATime() {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    byte[] sent = new byte[1_000_000];
    random.nextBytes(sent);
    ByteBuf from = Unpooled.wrappedBuffer(sent);
    ByteBuf come = Unpooled.buffer(sent.length);
    while (come.readableBytes() < sent.length) {
      int length = Math.min(random.nextInt(70_000), from.readableBytes());
      ByteBuf room = writer.room(length);
      if (room == null) {
        writer.write(from);
        assertThat(writer.writerWaits()).isEqualTo(from.isReadable());
      } else {
        writer.commit(room.writeBytes(from, length).readableBytes());
      }
      int taken = random.nextInt(1 + reader.readable().readableBytes());
      come.writeBytes(reader.readable(), taken);
      reader.consume(taken);
    }
    assertThat(come.array()).isEqualTo(sent);
  }

  @Test
  void whoWaitsIsWokenOnce() {
    assertThat(writer.mustWakeReader()).isFalse();
    assertThat(reader.readerWaits(0)).isTrue();
    writer.write(Unpooled.wrappedBuffer(new byte[3]));
    assertThat(writer.mustWakeReader()).isTrue();
    assertThat(writer.mustWakeReader()).isFalse();
    assertThat(reader.readerWaits(0)).as("something has come").isFalse();
    assertThat(reader.readerWaits(3)).isTrue();
  }

  @Test
  void aNumberThatTheRingCannotHoldIsNotBelieved() throws IOException {
    for (long written : new long[] {-1, 1L << 40}) {
      try (FileChannel raw = FileChannel.open(file, StandardOpenOption.WRITE)) {
        raw.write(ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(0, written), 0);
      }
      assertThatThrownBy(() -> reader.readable())
          .hasMessage("a ring of 65536 bytes holds " + written);
    }
  }

  @Test
  void filesOfAnotherSizeAndLinksAreNotOpened() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThatThrownBy(() -> ByteRing.open(link, SIZE)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> ByteRing.create(link, SIZE)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> ByteRing.open(file, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has 65792 bytes, not 1048832");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
