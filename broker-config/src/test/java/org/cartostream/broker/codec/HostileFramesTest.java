package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.Examples;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that no gateway of ours would send are refused with a reason, and do nothing else. */
@Quick
class HostileFramesTest {

  /** Robot "r", 1 letter behind its length, then run, sequence, stamp: the kind stands here. */
  private static final int KIND_AT = Codec.HEADER_BYTES + 4 + 1 + 3 * 8;

  private final Codec codec = new Codec(1 << 20);

  @Property(tries = 300)
  void randomBytesAreRefusedAndNothingElse(@ForAll byte[] bytes) {
    assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(RefusedMessageException.class);
  }

  @Property
  void randomBytesBehindARightBeginningAreTakenOrRefused(
      @ForAll @IntRange(min = 15, max = 27) int kind, @ForAll byte[] body) {
    byte[] right = codec.encode(Examples.outcome("r", 1));
    byte[] frame = Arrays.copyOf(right, KIND_AT + Integer.BYTES + body.length);
    little(frame).putInt(6, frame.length - Codec.HEADER_BYTES).putInt(KIND_AT, kind);
    System.arraycopy(body, 0, frame, KIND_AT + Integer.BYTES, body.length);
    takesOrRefuses(frame);
  }

  @Property
  void flippedBitsAreTakenOrRefused(
      @ForAll(supplier = Envelopes.class) Envelope envelope,
      @ForAll List<@IntRange(min = 0) Integer> flips) {
    byte[] frame = codec.encode(envelope);
    for (int flip : flips) {
      int bit = flip % (8 * frame.length);
      frame[bit / 8] ^= (byte) (1 << bit % 8);
    }
    takesOrRefuses(frame);
  }

  @Property
  void everyCutIsRefused(
      @ForAll(supplier = Envelopes.class) Envelope envelope, @ForAll @IntRange(min = 1) int cut) {
    byte[] frame = codec.encode(envelope);
    byte[] shorter = Arrays.copyOf(frame, frame.length - 1 - cut % frame.length);
    assertThat(why(shorter)).isEqualTo(BrokerRefusal.TRUNCATED);
  }

  /** Also with the right length in the header, as a sender who lies would write it. */
  @Property
  void everyCutWithAMatchingHeaderIsRefused(
      @ForAll(supplier = Envelopes.class) Envelope envelope, @ForAll @IntRange(min = 1) int cut) {
    byte[] frame = codec.encode(envelope);
    int payload = frame.length - Codec.HEADER_BYTES;
    byte[] shorter = Arrays.copyOf(frame, frame.length - 1 - cut % payload);
    little(shorter).putInt(6, shorter.length - Codec.HEADER_BYTES);
    assertThat(why(shorter)).isNotNull();
  }

  private static ByteBuffer little(byte[] frame) {
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whatever is taken, its map too is read or refused; no other exception, no heap blown. */
  private void takesOrRefuses(byte[] frame) {
    try {
      if (codec.decode(frame).body() instanceof MapMessage map) {
        map.grid();
      }
    } catch (RefusedMessageException e) {
      assertThat(e.why().refusal()).isInstanceOf(BrokerRefusal.class);
    }
  }

  private BrokerRefusal why(byte[] frame) {
    RefusedMessageException refused =
        catchThrowableOfType(RefusedMessageException.class, () -> codec.decode(frame));
    return (BrokerRefusal) refused.why().refusal();
  }

  @Test
  void refusesAMessageOfAFutureVersion() {
    byte[] frame = codec.encode(Examples.outcome("r", 1));
    frame[4]++;
    assertThatThrownBy(() -> codec.decode(frame))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("version " + (Codec.VERSION + 1) + ", not " + Codec.VERSION);
  }

  /** 0 is null to Kryo, 1 a class name, 2 to 10 primitives; 16 to 28 are ours. */
  @ParameterizedTest
  @ValueSource(ints = {-2, -1, 0, 1, 2, 3, 10, 15, 29, 1_000_000, Integer.MAX_VALUE})
  void refusesAKindThatIsNotRegistered(int kind) {
    byte[] frame = codec.encode(Examples.outcome("r", 1));
    little(frame).putInt(KIND_AT, kind);
    assertThat(why(frame)).isEqualTo(BrokerRefusal.UNKNOWN_TYPE);
  }

  @Test
  void refusesALengthThatTheBytesCannotHoldBeforeItMakesAnArray() {
    byte[] frame = codec.encode(Examples.reading("r", 1));
    int lengthAt = frame.length - 4 - 3 * Float.BYTES;
    assertThat(little(frame).getInt(lengthAt)).isEqualTo(3);
    for (int lie : new int[] {4, 1 << 29, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      little(frame).putInt(lengthAt, lie);
      assertThat(why(frame)).isEqualTo(BrokerRefusal.TRUNCATED);
    }
  }

  @Test
  void refusesACorrectionThatIsNone() {
    byte[] frame = codec.encode(Examples.outcome("r", 1));
    int numberAt = KIND_AT + Integer.BYTES + 2 * Long.BYTES + 1 + FieldCodec.POSE_BYTES;
    int movedAt = numberAt + Integer.BYTES + FieldCodec.POSE_BYTES;
    assertThat(little(frame).getInt(numberAt)).isEqualTo(3);
    assertThat(little(frame).getDouble(movedAt)).isEqualTo(0.75);
    for (int lie : new int[] {-1, 0, Integer.MIN_VALUE}) {
      byte[] wrong = frame.clone();
      little(wrong).putInt(numberAt, lie);
      assertThat(why(wrong)).as("number %d", lie).isEqualTo(BrokerRefusal.BAD_VALUE);
    }
    for (double lie : new double[] {-0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      byte[] wrong = frame.clone();
      little(wrong).putDouble(movedAt, lie);
      assertThat(why(wrong)).as("moved by %f", lie).isEqualTo(BrokerRefusal.BAD_VALUE);
    }
  }
}
