package org.cartostream.ros.rtps.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * Reader of a packet, submessage by submessage (8.3.4, 9.4.5). Interpreter submessages, such as
 * that of the sender, are not handed over but applied to the submessages that follow.
 *
 * <p>Owns the receiver's state (8.3.4): sender, and whether the packet is for this participant.
 */
public final class PacketReader {

  /** Receiver of the submessages of a packet, up to a malformed one. */
  public interface Handler {
    void on(Sender sender, Submessage submessage);
  }

  /**
   * Sender of a submessage.
   *
   * @param vendor vendor id of the sender's DDS
   */
  public record Sender(GuidPrefix prefix, int vendor) {}

  static final int MAGIC = 0x52545053;
  static final int MAJOR_VERSION = 2;
  static final int MINOR_VERSION = 3;

  /** Maximum size of a sample, bytes; a map of 400 m x 400 m at 0.05 m has 64 MB. */
  private static final int MAX_SAMPLE_BYTES = 1 << 26;

  /**
   * Minimum size of a fragment, bytes. Smaller ones would take more memory for objects than for
   * data; usual fragments fill a packet.
   */
  private static final int MIN_FRAGMENT_BYTES = 256;

  /** Value of octetsToInlineQos in DATA, bytes; the value in DATA_FRAG is below. */
  static final int DATA_OCTETS = 16;

  static final int DATA_FRAG_OCTETS = 28;

  /** Bytes before the vendor in INFO_SRC: four unused ones and the version. */
  private static final int INFO_SRC_VENDOR = 6;

  private final GuidPrefix self;
  private final Handler handler;
  private Sender sender;
  private boolean isForUs = true;

  private PacketReader(GuidPrefix self, Handler handler, Sender sender) {
    this.self = self;
    this.handler = handler;
    this.sender = sender;
  }

  /**
   * Reads a packet; ignores submessages for other participants, and those from this one.
   *
   * @param self this participant
   * @throws MalformedPacketException if the packet is malformed; the submessages before were
   *     handled
   */
  public static void read(ByteBuffer packet, GuidPrefix self, Handler handler) {
    Sender sender = bounded(() -> header(packet));
    new PacketReader(self, handler, sender).submessages(packet);
  }

  private static Sender header(ByteBuffer packet) {
    packet.order(ByteOrder.BIG_ENDIAN);
    if (packet.getInt() != MAGIC) {
      throw new MalformedPacketException("a packet that is not RTPS");
    }
    if (packet.get() != MAJOR_VERSION) {
      throw new MalformedPacketException("a packet of another version than RTPS 2");
    }
    packet.get();
    int vendor = Short.toUnsignedInt(packet.getShort());
    return new Sender(GuidPrefix.read(packet), vendor);
  }

  /**
   * Returns the result of {@code reading}.
   *
   * @throws MalformedPacketException if the bytes end too early
   */
  public static <T> T bounded(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new MalformedPacketException("a packet that is cut off");
    }
  }

  static int checked(int length, ByteBuffer in) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    return length;
  }

  private void submessages(ByteBuffer packet) {
    while (packet.hasRemaining()) {
      Submessage submessage = bounded(() -> next(packet));
      if (submessage != null) {
        handler.on(sender, submessage);
      }
    }
  }

  /**
   * Reads the next submessage; null if it is an interpreter submessage, not for this participant,
   * or of an unknown kind.
   */
  private Submessage next(ByteBuffer packet) {
    int kind = Byte.toUnsignedInt(packet.get());
    int flags = packet.get();
    ByteOrder order = (flags & 1) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    int length = Short.toUnsignedInt(packet.order(order).getShort());
    boolean toTheEnd = length == 0 && kind != SubmessageKind.PAD && kind != SubmessageKind.INFO_TS;
    length = toTheEnd ? packet.remaining() : checked(length, packet);
    ByteBuffer in = packet.slice(packet.position(), length).order(order);
    packet.position(packet.position() + length);
    switch (kind) {
      case SubmessageKind.INFO_DST -> {
        GuidPrefix destination = GuidPrefix.read(in);
        isForUs = destination.equals(self) || destination.equals(GuidPrefix.UNKNOWN);
      }
      case SubmessageKind.INFO_SRC -> {
        in.position(in.position() + INFO_SRC_VENDOR);
        int vendor = Short.toUnsignedInt(in.order(ByteOrder.BIG_ENDIAN).getShort());
        sender = new Sender(GuidPrefix.read(in), vendor);
      }
      default -> {
        return isForUs && !sender.prefix().equals(self) ? entity(kind, flags, in) : null;
      }
    }
    return null;
  }

  /** Reads an entity submessage; null if its kind is unknown. */
  private static Submessage entity(int kind, int flags, ByteBuffer in) {
    boolean second = (flags & 2) != 0;
    return switch (kind) {
      case SubmessageKind.DATA -> data(flags, in);
      case SubmessageKind.DATA_FRAG -> dataFrag(flags, in);
      case SubmessageKind.HEARTBEAT -> heartbeat(in, second);
      case SubmessageKind.HEARTBEAT_FRAG ->
          new Submessage.HeartbeatFrag(
              EntityIds.read(in), EntityIds.read(in), number(in), in.getInt(), in.getInt());
      case SubmessageKind.ACKNACK ->
          new Submessage.AckNack(
              EntityIds.read(in),
              EntityIds.read(in),
              NumberSet.read(longNumber(in), in),
              in.getInt(),
              second);
      case SubmessageKind.NACK_FRAG ->
          new Submessage.NackFrag(
              EntityIds.read(in),
              EntityIds.read(in),
              number(in),
              NumberSet.read(Integer.toUnsignedLong(in.getInt()), in),
              in.getInt());
      case SubmessageKind.GAP ->
          new Submessage.Gap(
              EntityIds.read(in), EntityIds.read(in), number(in), NumberSet.read(number(in), in));
      default -> null;
    };
  }

  private static Submessage heartbeat(ByteBuffer in, boolean isFinal) {
    int readerId = EntityIds.read(in);
    int writerId = EntityIds.read(in);
    long first = number(in);
    long last = longNumber(in);
    if (last < first - 1) {
      throw new MalformedPacketException("a heartbeat of samples " + first + " to " + last);
    }
    return new Submessage.Heartbeat(readerId, writerId, first, last, in.getInt(), isFinal);
  }

  private static Submessage data(int flags, ByteBuffer in) {
    in.getShort();
    int toQos = Short.toUnsignedInt(in.getShort());
    int start = in.position();
    int readerId = EntityIds.read(in);
    int writerId = EntityIds.read(in);
    long number = number(in);
    ParameterList qos = inlineQos(flags, in, start + toQos);
    boolean hasData = (flags & 4) != 0;
    boolean hasKey = (flags & 8) != 0;
    byte[] payload = hasData || hasKey ? rest(in) : new byte[0];
    return new Submessage.Data(readerId, writerId, number, qos, !hasData, payload);
  }

  private static Submessage dataFrag(int flags, ByteBuffer in) {
    in.getShort();
    int toQos = Short.toUnsignedInt(in.getShort());
    int start = in.position();
    int readerId = EntityIds.read(in);
    int writerId = EntityIds.read(in);
    long number = number(in);
    int first = in.getInt();
    int count = Short.toUnsignedInt(in.getShort());
    int size = Short.toUnsignedInt(in.getShort());
    int sampleSize = in.getInt();
    ParameterList qos = inlineQos(flags, in, start + toQos);
    Submessage.Data data =
        new Submessage.Data(readerId, writerId, number, qos, (flags & 4) != 0, rest(in));
    if (sampleSize < 1
        || sampleSize > MAX_SAMPLE_BYTES
        || size < MIN_FRAGMENT_BYTES
        || first < 1
        || count < 1) {
      throw new MalformedPacketException(
          "%d fragments from %d on of %d bytes each (%d at least), of a sample of %d (%d at most)"
              .formatted(count, first, size, MIN_FRAGMENT_BYTES, sampleSize, MAX_SAMPLE_BYTES));
    }
    Submessage.DataFrag fragments = new Submessage.DataFrag(data, first, count, size, sampleSize);
    long end = Math.min(((long) first + count - 1) * size, sampleSize);
    if ((long) first + count - 1 > fragments.total()
        || data.payload().length < end - (long) (first - 1) * size) {
      throw new MalformedPacketException(
          "%d fragments from %d on, of %d, in %d bytes"
              .formatted(count, first, fragments.total(), data.payload().length));
    }
    return fragments;
  }

  private static ParameterList inlineQos(int flags, ByteBuffer in, int at) {
    if (at < in.position()) {
      throw new MalformedPacketException("inline QoS that begin at byte " + at);
    }
    in.position(at);
    return (flags & 2) == 0 ? new ParameterList() : ParameterList.read(in);
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }

  private static long longNumber(ByteBuffer in) {
    return ((long) in.getInt() << Integer.SIZE) | Integer.toUnsignedLong(in.getInt());
  }

  /** Reads a sequence number, which must be at least 1 (8.3.5.4). */
  private static long number(ByteBuffer in) {
    long number = longNumber(in);
    if (number < 1) {
      throw new MalformedPacketException("sample " + number);
    }
    return number;
  }
}
