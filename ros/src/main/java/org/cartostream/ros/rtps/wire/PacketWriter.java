package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.ros.serialization.WireWriter;

/** Writer of a packet, little-endian (8.3.3, 9.4). Owns its bytes. */
public final class PacketWriter {

  private static final int LITTLE_ENDIAN = 1;
  private static final int HEADER_BYTES = 4;
  private static final int ALIGNMENT = 4;

  private final WireWriter out = new WireWriter();

  /**
   * Begins a packet to a participant.
   *
   * @param destination receiver; {@link GuidPrefix#UNKNOWN} for all
   */
  public PacketWriter(GuidPrefix source, GuidPrefix destination) {
    ByteBuffer header = out.room(2 * Integer.BYTES);
    header.put(new byte[] {'R', 'T', 'P', 'S'});
    header.put((byte) PacketReader.MAJOR_VERSION).put((byte) PacketReader.MINOR_VERSION);
    header.putShort((short) 0); // A vendor that has no number (8.3.3.1.3).
    source.write(out);
    if (!destination.equals(GuidPrefix.UNKNOWN)) {
      submessage(SubmessageKind.INFO_DST, 0, destination::write);
    }
  }

  /**
   * Adds the time stamp of the submessages that follow (9.3.2.1).
   *
   * @param nanos time, nanoseconds since 1970-01-01 UTC
   */
  public PacketWriter stamp(long nanos) {
    long second = TimeUnit.SECONDS.toNanos(1);
    int fraction = (int) ((nanos % second << Integer.SIZE) / second);
    return submessage(
        SubmessageKind.INFO_TS,
        0,
        to -> to.room(2 * Integer.BYTES).putInt((int) (nanos / second)).putInt(fraction));
  }

  /** Adds a submessage. */
  public PacketWriter add(Submessage submessage) {
    if (submessage instanceof Submessage.Data each) {
      int kinds = each.payload().length == 0 ? 0 : each.isKey() ? 8 : 4;
      return submessage(
          SubmessageKind.DATA,
          kinds | (each.inlineQos().isEmpty() ? 0 : 2),
          to -> {
            head(to, each, PacketReader.DATA_OCTETS);
            body(to, each);
          });
    } else if (submessage instanceof Submessage.DataFrag each) {
      return submessage(
          SubmessageKind.DATA_FRAG,
          each.data().inlineQos().isEmpty() ? 0 : 2,
          to -> {
            head(to, each.data(), PacketReader.DATA_FRAG_OCTETS);
            to.room(3 * Integer.BYTES)
                .putInt(each.first())
                .putShort((short) each.count())
                .putShort((short) each.size())
                .putInt(each.sampleSize());
            body(to, each.data());
          });
    } else if (submessage instanceof Submessage.Heartbeat each) {
      return submessage(
          SubmessageKind.HEARTBEAT,
          each.isFinal() ? 2 : 0,
          to -> {
            ids(to, each);
            number(to, each.first());
            number(to, each.last());
            to.room(Integer.BYTES).putInt(each.count());
          });
    } else if (submessage instanceof Submessage.HeartbeatFrag each) {
      return submessage(
          SubmessageKind.HEARTBEAT_FRAG,
          0,
          to -> {
            ids(to, each);
            number(to, each.number());
            to.room(2 * Integer.BYTES).putInt(each.last()).putInt(each.count());
          });
    }
    return addAnswer(submessage);
  }

  private PacketWriter addAnswer(Submessage submessage) {
    if (submessage instanceof Submessage.AckNack each) {
      return submessage(
          SubmessageKind.ACKNACK,
          each.isFinal() ? 2 : 0,
          to -> {
            ids(to, each);
            number(to, each.missing().base());
            each.missing().write(to);
            to.room(Integer.BYTES).putInt(each.count());
          });
    } else if (submessage instanceof Submessage.NackFrag each) {
      return submessage(
          SubmessageKind.NACK_FRAG,
          0,
          to -> {
            ids(to, each);
            number(to, each.number());
            to.room(Integer.BYTES).putInt((int) each.missing().base());
            each.missing().write(to);
            to.room(Integer.BYTES).putInt(each.count());
          });
    }
    Submessage.Gap gap = (Submessage.Gap) submessage;
    return submessage(
        SubmessageKind.GAP,
        0,
        to -> {
          ids(to, gap);
          number(to, gap.start());
          number(to, gap.numbers().base());
          gap.numbers().write(to);
        });
  }

  /** Returns the bytes of the packet. */
  public byte[] bytes() {
    return out.bytes();
  }

  private PacketWriter submessage(int kind, int flags, Consumer<WireWriter> content) {
    WireWriter within = new WireWriter();
    content.accept(within);
    byte[] bytes = within.bytes();
    int length = (bytes.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    out.room(HEADER_BYTES + length)
        .put((byte) kind)
        .put((byte) (flags | LITTLE_ENDIAN))
        .putShort((short) length)
        .put(bytes)
        .put(new byte[length - bytes.length]);
    return this;
  }

  private static void head(WireWriter to, Submessage.Data data, int octets) {
    to.room(Integer.BYTES).putShort((short) 0).putShort((short) octets);
    ids(to, data);
    number(to, data.number());
  }

  private static void body(WireWriter to, Submessage.Data data) {
    if (!data.inlineQos().isEmpty()) {
      data.inlineQos().write(to);
    }
    to.room(data.payload().length).put(data.payload());
  }

  private static void ids(WireWriter to, Submessage submessage) {
    to.room(2 * Integer.BYTES)
        .putInt(Integer.reverseBytes(submessage.readerId()))
        .putInt(Integer.reverseBytes(submessage.writerId()));
  }

  private static void number(WireWriter to, long number) {
    to.room(Long.BYTES).putInt((int) (number >>> Integer.SIZE)).putInt((int) number);
  }
}
