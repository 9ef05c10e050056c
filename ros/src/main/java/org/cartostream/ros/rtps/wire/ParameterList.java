package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.cartostream.ros.serialization.WireWriter;

/** Parameter list of RTPS: values by parameter id, in discovery and inline QoS (9.4.2.11). */
public final class ParameterList {

  private static final int PAD = 0;
  private static final int SENTINEL = 1;
  private static final int ALIGNMENT = 4;

  /** Lowest vendor-specific parameter id; these parameters are ignored. */
  private static final int VENDOR = 0x8000;

  /** Mask of the parameter id; the higher bits are flags for receivers that do not know the id. */
  private static final int ID = 0x3fff;

  private static final int BIG_ENDIAN = 2;
  private static final int LITTLE_ENDIAN = 3;
  private static final int HEADER_BYTES = 4;

  /** Memory of a parameter beside its value, bytes: objects, and its entry in the list. */
  private static final int PARAMETER_OVERHEAD = 100;

  private record Parameter(int id, ByteBuffer value) {}

  private final List<Parameter> parameters = new ArrayList<>();

  /** Reads a list with its sentinel. */
  public static ParameterList read(ByteBuffer in) {
    ParameterList list = new ParameterList();
    while (true) {
      int id = Short.toUnsignedInt(in.getShort());
      int length = Short.toUnsignedInt(in.getShort());
      if (id == SENTINEL) {
        return list;
      }
      if (length % ALIGNMENT != 0 || length > in.remaining()) {
        throw new MalformedPacketException(
            "parameter %#x of %d bytes, where %d are".formatted(id, length, in.remaining()));
      }
      if (id != PAD && id < VENDOR) {
        byte[] value = new byte[length]; // Not a part of the packet's buffer, which is used again.
        in.get(in.position(), value);
        list.parameters.add(new Parameter(id & ID, ByteBuffer.wrap(value).order(in.order())));
      }
      in.position(in.position() + length);
    }
  }

  /** Reads a sample's payload: an encapsulation header (10.2), then the list. */
  public static ParameterList ofPayload(byte[] payload) {
    if (payload.length < HEADER_BYTES
        || payload[0] != 0
        || (payload[1] != BIG_ENDIAN && payload[1] != LITTLE_ENDIAN)) {
      throw new MalformedPacketException("a payload that is no parameter list");
    }
    ByteOrder order = payload[1] == BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer in = ByteBuffer.wrap(payload).position(HEADER_BYTES).order(order);
    return PacketReader.bounded(() -> read(in));
  }

  public boolean isEmpty() {
    return parameters.isEmpty();
  }

  /** Returns the approximate memory of the list, bytes. */
  public long memory() {
    return parameters.stream()
        .mapToLong(each -> PARAMETER_OVERHEAD + each.value().capacity())
        .sum();
  }

  /** Returns the first value of a parameter; the buffer has the byte order of the list. */
  public Optional<ByteBuffer> first(int id) {
    return all(id).stream().findFirst();
  }

  /** Returns all values of a parameter that may be repeated. */
  public List<ByteBuffer> all(int id) {
    return parameters.stream()
        .filter(each -> each.id() == id)
        .map(each -> each.value().duplicate().order(each.value().order()))
        .toList();
  }

  /** Returns a value as a number. */
  public Optional<Integer> number(int id) {
    return first(id).map(value -> PacketReader.bounded(value::getInt));
  }

  /** Returns a value as a duration, nanoseconds. */
  public Optional<Long> duration(int id) {
    return first(id).map(value -> PacketReader.bounded(() -> RtpsDuration.read(value)));
  }

  /** Returns the duration, nanoseconds, in a value that consists of a number and a duration. */
  public Optional<Long> durationAfterKind(int id) {
    return first(id)
        .map(
            value ->
                PacketReader.bounded(
                    () -> RtpsDuration.read(value.position(value.position() + Integer.BYTES))));
  }

  /** Returns a value as an identity. */
  public Optional<Guid> guid(int id) {
    return first(id).map(value -> PacketReader.bounded(() -> Guid.read(value)));
  }

  /** Returns a value as text. */
  public Optional<String> text(int id) {
    return first(id).map(value -> PacketReader.bounded(() -> text(value)));
  }

  /** Reads text: its length, its bytes, and a zero byte that counts. */
  public static String text(ByteBuffer in) {
    byte[] bytes = new byte[PacketReader.checked(in.getInt(), in)];
    in.get(bytes);
    return new String(bytes, 0, Math.max(0, bytes.length - 1), StandardCharsets.UTF_8);
  }

  /** Adds a value, padded to a multiple of 4 bytes. */
  public ParameterList add(int id, byte[] value) {
    int length = (value.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    byte[] padded = Arrays.copyOf(value, length);
    parameters.add(new Parameter(id, ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN)));
    return this;
  }

  /** Adds a value of numbers. */
  public ParameterList add(int id, int... numbers) {
    WireWriter out = new WireWriter();
    for (int number : numbers) {
      out.room(Integer.BYTES).putInt(number);
    }
    return add(id, out.bytes());
  }

  /** Adds text. */
  public ParameterList add(int id, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    WireWriter out = new WireWriter();
    out.room(Integer.BYTES + bytes.length + 1).putInt(bytes.length + 1).put(bytes).put((byte) 0);
    return add(id, out.bytes());
  }

  /** Writes the list with its sentinel; all added values are little-endian. */
  void write(WireWriter out) {
    for (Parameter each : parameters) {
      ByteBuffer value = each.value().duplicate();
      out.room(HEADER_BYTES + value.remaining())
          .putShort((short) each.id())
          .putShort((short) value.remaining())
          .put(value);
    }
    out.room(HEADER_BYTES).putShort((short) SENTINEL).putShort((short) 0);
  }

  /** Returns the list as a sample's payload. */
  public byte[] payload() {
    WireWriter out = new WireWriter();
    out.room(HEADER_BYTES).put((byte) 0).put((byte) LITTLE_ENDIAN).putShort((short) 0);
    write(out);
    return out.bytes();
  }
}
