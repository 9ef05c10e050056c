package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import com.esotericsoftware.kryo.io.Output;
import java.util.Optional;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Message;

/**
 * Codec of envelopes: encodes them as bytes, and decodes them.
 *
 * <p>A frame is a header of {@link #HEADER_BYTES} bytes, little-endian: the magic {@code CRTO}, the
 * version (2 bytes), the length of the rest (4 bytes); then the envelope's fields, which {@link
 * RecordFormat} encodes as those of any record. So releases that follow each other understand each
 * other: a message's fields are the components of its record, a reader skips a field that it does
 * not know, and a missing field has its default. Names of classes are not sent. A length is checked
 * against the bytes that are left before memory is taken for it, records nest only as deep as their
 * classes do, and the elements of lists are counted.
 *
 * <p>Thread-safe.
 */
public final class Codec {

  /** Version of the encoding of fields. A new field of a message does not change it. */
  public static final int VERSION = 17;

  public static final int HEADER_BYTES = 10;

  private static final int MAGIC = 'C' | 'R' << 8 | 'T' << 16 | 'O' << 24;
  private static final int FIRST_BUFFER_BYTES = 4096;

  private static final RecordFormat ENVELOPE = new RecordFormat(Envelope.class);

  /** Components of an envelope before its body. */
  private record Address(String robot, long run, long sequence, long stampNanos) {}

  private static final RecordFormat ADDRESS = new RecordFormat(Address.class);

  private final int maxMessageBytes;

  /**
   * @param maxMessageBytes size of the largest frame that is written or read
   */
  public Codec(int maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
  }

  /**
   * Encodes an envelope as a frame.
   *
   * @throws RefusedMessageException if the frame is larger than allowed
   */
  public byte[] encode(Envelope envelope) {
    try (Output out = new Output(Math.min(FIRST_BUFFER_BYTES, maxMessageBytes), maxMessageBytes)) {
      out.setPosition(HEADER_BYTES);
      ENVELOPE.write(out, envelope);
      int end = out.position();
      out.setPosition(0);
      out.writeInt(MAGIC);
      out.writeShort(VERSION);
      out.writeInt(end - HEADER_BYTES);
      out.setPosition(end);
      return out.toBytes();
    } catch (KryoBufferOverflowException e) {
      throw BrokerRefusal.TOO_LARGE.exception(
          "%s of more than %d bytes"
              .formatted(envelope.body().getClass().getSimpleName(), maxMessageBytes));
    }
  }

  /**
   * Decodes the envelope in a frame.
   *
   * @throws RefusedMessageException if there is no valid envelope; nothing else is ever thrown
   */
  public Envelope decode(byte[] frame) {
    checkHeader(frame);
    try (FrameInput in = new FrameInput(frame, HEADER_BYTES)) {
      return (Envelope) ENVELOPE.read(in);
    } catch (KryoBufferUnderflowException e) {
      throw BrokerRefusal.TRUNCATED.exception("within " + frame.length + " bytes");
    } catch (KryoException e) {
      throw BrokerRefusal.GARBAGE.exception(e.getMessage());
    } catch (IllegalArgumentException | NullPointerException e) {
      throw BrokerRefusal.BAD_VALUE.exception(e.getMessage());
    }
  }

  /**
   * Returns the answer to a frame of which no more than the beginning is here.
   *
   * @param beginning at least the frame's header and its envelope's address
   * @return empty if that is no address
   */
  public static Optional<Envelope> answer(byte[] beginning, Message body) {
    try (FrameInput in = new FrameInput(beginning, 0)) {
      readLength(in);
      Address to = (Address) ADDRESS.readBeginning(in);
      return Optional.of(new Envelope(to.robot, to.run, to.sequence, to.stampNanos, body));
    } catch (RefusedMessageException | KryoException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void checkHeader(byte[] frame) {
    if (frame.length > maxMessageBytes) {
      throw BrokerRefusal.TOO_LARGE.exception(frame.length + " bytes, at most " + maxMessageBytes);
    }
    if (frame.length < HEADER_BYTES) {
      throw BrokerRefusal.TRUNCATED.exception(frame.length + " bytes, the header alone has 10");
    }
    try (Input in = new Input(frame)) {
      long length = readLength(in);
      long there = frame.length - HEADER_BYTES;
      if (length != there) {
        BrokerRefusal why = length > there ? BrokerRefusal.TRUNCATED : BrokerRefusal.GARBAGE;
        throw why.exception("the header says " + length + " bytes, there are " + there);
      }
    }
  }

  /** Reads a header, and returns the length of the rest in bytes, as it says. */
  private static int readLength(Input in) {
    int magic = in.readInt();
    if (magic != MAGIC) {
      throw BrokerRefusal.GARBAGE.exception(
          String.format("it begins with %08x, not %08x", magic, MAGIC));
    }
    int version = in.readShortUnsigned();
    if (version != VERSION) {
      throw BrokerRefusal.OTHER_VERSION.exception("version " + version + ", not " + VERSION);
    }
    return in.readInt();
  }
}
