package org.cartostream.gateway.journal;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.slam.sensor.Reading;

/**
 * A file of blocks behind a head: each has its length and that with all bits turned, a checksum
 * (CRC-32C) of what follows, a digest of the reading that it is about, and a message. Owns the open
 * file.
 */
final class JournalFile implements AutoCloseable {

  private static final int DIGEST_BYTES = 16;

  /** Maximum length of a block, bytes: no message is longer. */
  private static final int MOST_BLOCK_BYTES = 1 << 27;

  private static final Codec CODEC = new Codec(MOST_BLOCK_BYTES);

  /** A message and the digest of its reading; zeros if it has none. */
  record Block(byte[] digest, Envelope message) {}

  private final Path path;
  private final RandomAccessFile file;
  private final DataOutputStream out;
  private final DataInputStream in;

  /** Opens it, or makes an empty one. */
  JournalFile(Path path) throws IOException {
    this.path = path;
    file = new RandomAccessFile(path.toFile(), "rw");
    out = new DataOutputStream(Channels.newOutputStream(file.getChannel()));
    in = new DataInputStream(Channels.newInputStream(file.getChannel()));
  }

  /** Where the head is read from. */
  DataInputStream in() {
    return in;
  }

  /** Empties it; the head is written to what is returned. */
  DataOutputStream begin() throws IOException {
    file.setLength(0);
    file.seek(0);
    return out;
  }

  /** What was written is on the disk when this returns. */
  void force() throws IOException {
    file.getChannel().force(true);
  }

  long length() throws IOException {
    return file.length();
  }

  void append(byte[] digest, Envelope message) throws IOException {
    byte[] block = CODEC.encode(message);
    out.writeInt(block.length);
    out.writeInt(~block.length);
    out.writeInt(checksum(digest, block));
    out.write(digest);
    out.write(block);
  }

  /**
   * The next block; empty if there is no further one, or it was not written to its end: it is cut
   * off, and what is appended comes in its place.
   *
   * @throws GatewayException if the file is damaged
   */
  Optional<Block> next() throws IOException {
    long start = file.getFilePointer();
    Optional<Block> block = read(start);
    if (block.isEmpty()) {
      file.setLength(start);
      file.seek(start);
    }
    return block;
  }

  private Optional<Block> read(long start) throws IOException {
    try {
      int length = in.readInt();
      if (length == 0 && isBlankFrom(start)) {
        return Optional.empty(); // A power cut leaves a file longer than what was written.
      }
      if (in.readInt() != ~length || length <= 0 || length > MOST_BLOCK_BYTES) {
        throw damaged(start, "a block's length is not what was written");
      }
      int checksum = in.readInt();
      byte[] digest = in.readNBytes(DIGEST_BYTES);
      byte[] message = in.readNBytes(length);
      if (message.length < length) {
        return Optional.empty();
      }
      if (checksum != checksum(digest, message)) {
        throw damaged(start, "a block is not what was written");
      }
      return Optional.of(new Block(digest, CODEC.decode(message)));
    } catch (EOFException e) {
      return Optional.empty();
    } catch (RefusedMessageException e) {
      throw damaged(start, e.getMessage());
    }
  }

  private static int checksum(byte[] digest, byte[] message) {
    CRC32C checksum = new CRC32C();
    checksum.update(digest);
    checksum.update(message);
    return (int) checksum.getValue();
  }

  private boolean isBlankFrom(long start) throws IOException {
    file.seek(start);
    for (int next = file.read(); next >= 0; next = file.read()) {
      if (next != 0) {
        file.seek(start + Integer.BYTES);
        return false;
      }
    }
    return true;
  }

  private GatewayException damaged(long at, String why) {
    return new GatewayException(
        "%s is damaged at byte %d: %s; without --resume the run begins anew"
            .formatted(path, at, why));
  }

  /** Of the reading in a message; zeros if it has none. */
  static byte[] digest(Envelope message) {
    return message.body() instanceof ReadingMessage of
        ? digest(of.reading())
        : new byte[DIGEST_BYTES];
  }

  /** Of the reading as it is sent, whatever map is held. */
  static byte[] digest(Reading reading) {
    byte[] message =
        CODEC.encode(
            new Envelope("journal", 1, 1, reading.stampNanos(), new ReadingMessage(reading)));
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(message);
      return Arrays.copyOf(all, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
