package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import com.esotericsoftware.kryo.io.Output;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;

/**
 * Codec that encodes envelopes as bytes, and decodes them.
 *
 * <p>A frame is a header of {@link #HEADER_BYTES} bytes, little-endian: the magic {@code CRTO}, the
 * version (2 bytes), the length of what follows (4 bytes); then the envelope's fields, as {@link
 * RecordFormat} has those of any record. So neighbours of another release understand each other: a
 * message's fields are the components of its record, one that is new is skipped by who does not
 * know it, and one that lacks has its default. What a class is called never crosses. A length is
 * checked against the bytes that are there before anything is made of them, records contain each
 * other only as deep as their classes do, and the elements of lists are counted.
 *
 * <p>Any thread may use it.
 */
public final class Codec {

  /** Version of the encoding of fields. A new field of a message does not change it. */
  public static final int VERSION = 17;

  public static final int HEADER_BYTES = 10;

  private static final int MAGIC = 'C' | 'R' << 8 | 'T' << 16 | 'O' << 24;
  private static final int FIRST_BUFFER_BYTES = 4096;

  private static final RecordFormat ENVELOPE = new RecordFormat(Envelope.class);

  private final int maxMessageBytes;

  /**
   * @param maxMessageBytes largest frame written or read
   */
  public Codec(int maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
  }

  /**
   * The frame of an envelope.
   *
   * @throws RefusedMessageException if it is larger than allowed
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
   * The envelope in a frame.
   *
   * @throws RefusedMessageException if there is none; nothing else is ever thrown
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

  private void checkHeader(byte[] frame) {
    if (frame.length > maxMessageBytes) {
      throw BrokerRefusal.TOO_LARGE.exception(frame.length + " bytes, at most " + maxMessageBytes);
    }
    if (frame.length < HEADER_BYTES) {
      throw BrokerRefusal.TRUNCATED.exception(frame.length + " bytes, the header alone has 10");
    }
    try (Input in = new Input(frame)) {
      int magic = in.readInt();
      if (magic != MAGIC) {
        throw BrokerRefusal.GARBAGE.exception(
            String.format("it begins with %08x, not %08x", magic, MAGIC));
      }
      int version = in.readShortUnsigned();
      if (version != VERSION) {
        throw BrokerRefusal.OTHER_VERSION.exception("version " + version + ", not " + VERSION);
      }
      long length = in.readInt();
      long there = frame.length - HEADER_BYTES;
      if (length != there) {
        BrokerRefusal why = length > there ? BrokerRefusal.TRUNCATED : BrokerRefusal.GARBAGE;
        throw why.exception("the header says " + length + " bytes, there are " + there);
      }
    }
  }
}
