package org.cartostream.collectives.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.testing.Quick;

/** Frames cross a stream of bytes whole, however it is cut; and nothing else gets through. */
@Quick
class FrameCodecTest {

  private static final int SIZE = 6;
  private static final int MAX_BYTES = 10_000;

  private static Frame random(Random random) {
    List<Slice> blocks = new ArrayList<>();
    for (int i = random.nextInt(SIZE); i > 0; i--) {
      byte[] array = new byte[random.nextInt(300) * random.nextInt(2)];
      random.nextBytes(array);
      int from = random.nextInt(array.length + 1);
      blocks.add(new Slice(array, from, random.nextInt(array.length - from + 1)));
    }
    return new Frame(
        one(Frame.Kind.values(), random),
        new OperationKey("robot_" + random.nextInt(100), random.nextLong(), random.nextLong()),
        random.nextInt(SIZE),
        one(Operation.values(), random),
        random.nextInt(SIZE),
        one(Algorithm.values(), random),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        blocks);
  }

  private static <T> T one(T[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  private static EmbeddedChannel decoder() {
    return new EmbeddedChannel(new FrameDecoder(SIZE, MAX_BYTES, byte[]::new));
  }

  @Property(tries = 300)
  void comeWholeHoweverTheStreamIsCut(@ForAll long seed) {
    Random random = new Random(seed);
    List<Frame> sent = new ArrayList<>();
    ByteBuf stream = Unpooled.buffer();
    for (int i = 0; i < 5; i++) {
      sent.add(random(random));
      stream.writeBytes(FrameCodec.encode(sent.get(i), Unpooled::buffer));
    }
    EmbeddedChannel decoder = decoder();
    while (stream.isReadable()) {
      int length = 1 + random.nextInt(Math.min(200, stream.readableBytes()));
      decoder.writeInbound(stream.readBytes(length));
    }
    for (Frame frame : sent) {
      Frame come = decoder.readInbound();
      assertThat(come.head()).isEqualTo(frame.head());
      assertThat(come.blocks().stream().map(Slice::whole).toList())
          .usingRecursiveComparison()
          .isEqualTo(frame.blocks().stream().map(Slice::whole).toList());
    }
    assertThat(decoder.<Object>readInbound()).isNull();
  }

  @Property(tries = 300)
  void whatIsSpoiltIsRefusedOrAFrameButBreaksNothing(@ForAll long seed) {
    Random random = new Random(seed);
    ByteBuf bytes = FrameCodec.encode(random(random), Unpooled::buffer);
    bytes.setByte(random.nextInt(bytes.readableBytes()), random.nextInt());
    try {
      decoder().writeInbound(bytes);
    } catch (DecoderException e) {
      assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
    }
  }

  @Example
  void refusesAPayloadAboveTheLimitBeforeItMakesRoomForIt() {
    Frame large = random(new Random(1));
    ByteBuf bytes = FrameCodec.encode(large, Unpooled::buffer);
    bytes.setInt(Integer.BYTES, MAX_BYTES + 1);
    EmbeddedChannel decoder = decoder();
    assertThatThrownBy(() -> decoder.writeInbound(bytes))
        .hasMessageContaining("payload has 10001 bytes; at most 10000 are allowed");
  }
}
