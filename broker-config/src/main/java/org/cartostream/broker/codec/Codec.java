package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.Pool;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;

/**
 * Encodes envelopes as bytes, and decodes them.
 *
 * <p>A frame is a header of {@link #HEADER_BYTES} bytes, little-endian: the magic {@code CRTO}, the
 * version (2 bytes), the length of what follows (4 bytes); then robot, run, sequence, stamp, the
 * body's registered number and the body, as {@link EnvelopeSerializer} writes them with Kryo. No
 * class name ever crosses: what is not registered has no number, and a number that is not
 * registered is refused before anything is instantiated. An array's length is checked against the
 * bytes that are there before the array is made.
 *
 * <p>Any thread may use it. It owns a pool of Kryo instances, which are not thread-safe.
 */
public final class Codec {

  /** Grows with every change of what {@link EnvelopeSerializer} writes. */
  public static final int VERSION = 16;

  public static final int HEADER_BYTES = 10;

  private static final int MAGIC = 'C' | 'R' << 8 | 'T' << 16 | 'O' << 24;
  private static final int FIRST_BUFFER_BYTES = 4096;

  private final int maxMessageBytes;
  private final Pool<Kryo> kryos =
      new Pool<>(true, true, 16) {
        @Override
        protected Kryo create() {
          return EnvelopeSerializer.kryo();
        }
      };

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
    Kryo kryo = kryos.obtain();
    try (Output out = new Output(Math.min(FIRST_BUFFER_BYTES, maxMessageBytes), maxMessageBytes)) {
      out.setPosition(HEADER_BYTES);
      EnvelopeSerializer.writeEnvelope(kryo, out, envelope);
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
    } finally {
      kryos.free(kryo);
    }
  }

  /**
   * The envelope in a frame.
   *
   * @throws RefusedMessageException if there is none; nothing else is ever thrown
   */
  public Envelope decode(byte[] frame) {
    checkHeader(frame);
    Kryo kryo = kryos.obtain();
    try (Input in = new Input(frame, HEADER_BYTES, frame.length - HEADER_BYTES)) {
      Envelope envelope = EnvelopeSerializer.readEnvelope(kryo, in);
      if (in.position() != frame.length) {
        throw BrokerRefusal.GARBAGE.exception(
            (frame.length - in.position()) + " bytes follow the message");
      }
      return envelope;
    } catch (KryoBufferUnderflowException e) {
      throw BrokerRefusal.TRUNCATED.exception("within " + frame.length + " bytes");
    } catch (KryoException e) {
      throw BrokerRefusal.GARBAGE.exception(e.getMessage());
    } catch (IllegalArgumentException e) {
      throw BrokerRefusal.BAD_VALUE.exception(e.getMessage());
    } finally {
      kryos.free(kryo);
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
