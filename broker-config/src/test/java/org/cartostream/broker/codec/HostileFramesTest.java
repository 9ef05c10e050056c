package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.cartostream.broker.BrokerRefusal.BAD_VALUE;
import static org.cartostream.broker.BrokerRefusal.GARBAGE;
import static org.cartostream.broker.BrokerRefusal.TRUNCATED;
import static org.cartostream.broker.BrokerRefusal.UNKNOWN_TYPE;

import com.esotericsoftware.kryo.io.Output;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.Examples;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that no gateway of ours would send are refused with a reason, and do nothing else. */
@Quick
class HostileFramesTest {

  /** Field 5 of an envelope, the body, of so many bytes. */
  private static final int BODY = 5 << 3 | ValueFormat.SIZED;

  /** Header and address of an envelope with a name of 64 letters have no more bytes. */
  private static final int ADDRESS = 110;

  /** Numbers of kinds of messages. */
  private static final int READING = 1;

  private static final int OUTCOME = 4;
  private static final int POSE = 6;
  private static final int LOOPS = 8;

  /** A refusal with its sentence and the place where it was thrown, by far. */
  private static final long MAX_ALLOCATED = 1 << 20;

  private static final Envelope END = new Envelope("r", 1, 1, 1, new EndMessage(1, 0));

  private final Codec codec = new Codec(1 << 20);

  @Property(tries = 300)
  void randomBytesAreRefusedAndNothingElse(@ForAll byte[] bytes) {
    assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(RefusedMessageException.class);
  }

  @Property
  void randomBytesBehindARightBeginningAreTakenOrRefused(
      @ForAll @IntRange(min = 0, max = 15) int kind, @ForAll byte[] body) {
    takesOrRefuses(frame(out -> body(out, kind, rest -> rest.writeBytes(body))));
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

  @Property
  void anAnswerNeedsTheAddressOnly(
      @ForAll(supplier = Envelopes.class) Envelope envelope, @ForAll @IntRange(min = 0) int cut) {
    byte[] frame = codec.encode(envelope);
    byte[] beginning = Arrays.copyOf(frame, Math.min(frame.length, ADDRESS + cut % 100));
    assertThat(Codec.answer(beginning, END.body())).contains(envelope.answer(END.body()));
    assertThat(Codec.answer(Arrays.copyOf(frame, cut % Codec.HEADER_BYTES), END.body())).isEmpty();
  }

  @Property
  void randomBytesGetNoAnswer(@ForAll byte[] bytes) {
    assertThat(Codec.answer(bytes, END.body())).isEmpty();
    byte[] behindAHeader = frame(out -> out.writeBytes(bytes));
    assertThatCode(() -> Codec.answer(behindAHeader, END.body())).doesNotThrowAnyException();
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

  /** A frame to robot r that goes on in some way. */
  private static byte[] frame(Consumer<Output> rest) {
    Output out = new Output(64, -1);
    out.writeBytes(new Codec(64).encode(END), 0, Codec.HEADER_BYTES);
    out.writeVarInt(1 << 3 | ValueFormat.SIZED, true);
    out.writeVarInt(1, true);
    out.writeByte('r');
    rest.accept(out);
    byte[] frame = out.toBytes();
    little(frame).putInt(6, frame.length - Codec.HEADER_BYTES);
    return frame;
  }

  private static void body(Output out, int kind, Consumer<Output> fields) {
    out.writeVarInt(BODY, true);
    sized(
        out,
        rest -> {
          rest.writeVarInt(kind, true);
          fields.accept(rest);
        });
  }

  private static void sized(Output out, Consumer<Output> content) {
    Output bytes = new Output(64, -1);
    content.accept(bytes);
    out.writeVarInt(bytes.position(), true);
    out.writeBytes(bytes.toBytes());
  }

  private static byte[] loops(Consumer<Output> fields) {
    return frame(out -> body(out, LOOPS, fields));
  }

  /** Whatever is taken, its map too is read or refused; no other exception, no heap blown. */
  private void takesOrRefuses(byte[] frame) {
    assertThat(allocatedBy(frame)).isLessThan(MAX_ALLOCATED + 100L * frame.length);
    try {
      if (codec.decode(frame).body() instanceof MapMessage map) {
        map.grid();
      }
    } catch (RefusedMessageException e) {
      assertThat(e.why().refusal()).isInstanceOf(BrokerRefusal.class);
    }
  }

  private long allocatedBy(byte[] frame) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      codec.decode(frame);
    } catch (RefusedMessageException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
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

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 15, 1_000_000, Integer.MAX_VALUE})
  void refusesAKindThatIsNotKnown(int kind) {
    assertThat(why(frame(out -> body(out, kind, fields -> {})))).isEqualTo(UNKNOWN_TYPE);
  }

  @Test
  void refusesAMessageWithoutAKindAndAFrameWithoutAMessage() {
    assertThat(why(frame(out -> out.writeVarInt(BODY, true)))).isEqualTo(TRUNCATED);
    assertThat(why(frame(out -> {}))).isEqualTo(BAD_VALUE);
    assertThat(why(frame(out -> body(out, OUTCOME, fields -> {})))).isEqualTo(BAD_VALUE);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 1 << 29, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void refusesALengthThatTheBytesCannotHoldBeforeItMakesAnything(int lie) {
    for (int field : new int[] {1, 9}) { // One that is known, and one that is skipped.
      for (int kind : new int[] {READING, LOOPS}) {
        Consumer<Output> fields =
            out -> {
              out.writeVarInt(field << 3 | ValueFormat.SIZED, true);
              out.writeVarInt(lie, true);
              out.writeInt(0);
            };
        assertThat(why(frame(out -> body(out, kind, fields)))).isEqualTo(TRUNCATED);
      }
    }
    Consumer<Output> robot =
        out -> {
          out.writeVarInt(BODY, true);
          out.writeVarInt(lie, true);
        };
    assertThat(why(frame(robot))).isEqualTo(TRUNCATED);
  }

  /** Within its record, though the frame goes on. */
  @Test
  void refusesAFieldThatIsLongerThanItsRecord() {
    byte[] frame =
        loops(
            out -> {
              out.writeVarInt(1 << 3 | ValueFormat.SIZED, true);
              sized(
                  out,
                  loop -> {
                    loop.writeVarInt(2, true); // One loop, with one byte of a number that has more.
                    loop.writeVarInt(1 << 3 | ValueFormat.SIZED, true);
                    loop.writeVarInt(1, true);
                  });
              out.writeVarInt(9 << 3 | ValueFormat.NUMBER, true);
              out.writeVarLong(1, false);
            });
    assertThat(why(frame)).isEqualTo(TRUNCATED);
  }

  @Test
  void skipsAFieldThatItDoesNotKnowAndRefusesOneThatMustBeUnderstood() {
    for (int critical : new int[] {0, RecordFormat.CRITICAL}) {
      byte[] frame =
          loops(
              out -> {
                out.writeVarInt(77 << 3 | critical | ValueFormat.NUMBER, true);
                out.writeVarLong(Long.MIN_VALUE, false);
                out.writeVarInt(78 << 3 | ValueFormat.DOUBLE, true);
                out.writeLong(-1);
                out.writeVarInt(79 << 3 | ValueFormat.SIZED, true);
                sized(out, content -> content.writeBytes(new byte[5000])); // Nobody looks into it.
              });
      if (critical == 0) {
        assertThat(codec.decode(frame).body()).isEqualTo(new LoopsMessage(List.of()));
      } else {
        assertThatThrownBy(() -> codec.decode(frame))
            .isInstanceOf(RefusedMessageException.class)
            .hasMessageContaining("another version")
            .hasMessageContaining("field 77 of LoopsMessage, where 1 are known");
      }
    }
  }

  @Test
  void refusesAFieldThatComesTwiceOrInAnotherOrderOrForm() {
    int[][] wrong = {{9, 9}, {9, 8}, {1, 1}, {2, 1}, {0}, {0, 1}};
    for (int[] numbers : wrong) {
      byte[] frame =
          loops(
              out -> {
                for (int number : numbers) {
                  out.writeVarInt(number << 3 | ValueFormat.SIZED, true);
                  out.writeVarInt(0, true);
                }
              });
      assertThat(why(frame)).as("fields %s", Arrays.toString(numbers)).isEqualTo(GARBAGE);
    }
    for (int field : new int[] {1 << 3 | ValueFormat.NUMBER, 1 << 3 | 3, 9 << 3 | 3}) {
      byte[] frame =
          loops(
              out -> {
                out.writeVarInt(field, true);
                out.writeLong(0);
              });
      assertThat(why(frame)).as("tag %d", field).isEqualTo(GARBAGE);
    }
  }

  @Test
  void refusesMoreElementsThanTheBytesAreWorth() {
    Codec large = new Codec(1 << 26);
    Consumer<Output> many =
        out -> {
          out.writeVarInt(1 << 3 | ValueFormat.SIZED, true);
          sized(out, loops -> loops.writeBytes(new byte[500_000]));
        };
    assertThatThrownBy(() -> large.decode(loops(many)))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("more elements");
  }

  /** As an outcome without the checks of the real one has it. */
  record UncheckedCorrection(int number, Pose transform, double movedMetres) {}

  record UncheckedPose(Pose local, UncheckedCorrection correction) {}

  record UncheckedMessage(UncheckedPose pose) {}

  @Test
  void refusesACorrectionThatIsNone() {
    for (int number : new int[] {-1, 0, Integer.MIN_VALUE}) {
      assertThat(whyPose(new UncheckedCorrection(number, new Pose(1, 2, 3), 0.75)))
          .isEqualTo(BAD_VALUE);
    }
    for (double moved : new double[] {-0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(whyPose(new UncheckedCorrection(3, new Pose(1, 2, 3), moved)))
          .isEqualTo(BAD_VALUE);
    }
  }

  private BrokerRefusal whyPose(UncheckedCorrection correction) {
    var message = new UncheckedMessage(new UncheckedPose(new Pose(1, 2, 3), correction));
    RecordFormat format = new RecordFormat(UncheckedMessage.class);
    return why(frame(out -> body(out, POSE, fields -> format.write(fields, message))));
  }

  record RightTypes(long flag, long number, long state) {}

  record Narrow(boolean flag, int number, LocalisationQuality.State state) {}

  @Test
  void refusesAFlagANumberOrAConstantThatIsNone() {
    RecordFormat read = new RecordFormat(Narrow.class);
    RecordFormat write = new RecordFormat(RightTypes.class);
    for (RightTypes wrong :
        List.of(
            new RightTypes(2, 1, 1),
            new RightTypes(1, 1L << 31, 1),
            new RightTypes(1, 1, 3),
            new RightTypes(1, 1, -1))) {
      Output out = new Output(64);
      write.write(out, wrong);
      assertThatThrownBy(() -> read.read(new FrameInput(out.toBytes(), 0)))
          .as(wrong.toString())
          .isInstanceOf(RefusedMessageException.class)
          .hasMessageContaining("would make sense");
    }
  }
}
