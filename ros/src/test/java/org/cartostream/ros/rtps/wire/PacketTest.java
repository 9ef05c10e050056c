package org.cartostream.ros.rtps.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Packets to and from bytes. */
@Quick
class PacketTest {

  private static final GuidPrefix HERE = new GuidPrefix(0x0102030405060708L, 9);
  private static final GuidPrefix THERE = new GuidPrefix(0x1112131415161718L, 0x19);

  private static List<Submessage> read(byte[] packet) {
    List<Submessage> read = new ArrayList<>();
    PacketReader.read(ByteBuffer.wrap(packet), HERE, (sender, submessage) -> read.add(submessage));
    return read;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s+", ""));
  }

  /** The layout is the specification's own, 8.3.7 and 9.4.5, written down by hand. */
  @Test
  void aHeartbeatIsWrittenAsTheSpecificationHasIt() {
    byte[] packet =
        new PacketWriter(HERE, THERE)
            .add(new Submessage.Heartbeat(0x3c7, 0x3c2, 1, 0x1_0000_0002L, 7, true))
            .bytes();
    assertThat(packet)
        .isEqualTo(
            bytes(
                """
                52545053 0203 0000 010203040506070800000009
                0e01 0c00 111213141516171800000019
                0703 1c00 000003c7 000003c2 00000000 01000000 01000000 02000000 07000000
                """));
  }

  /** As a big-endian peer would send it. */
  @Test
  void aBigEndianAckNackIsRead() {
    byte[] packet =
        bytes(
            """
            52545053 0203 0110 111213141516171800000019
            0602 001c 000003c7 000003c2 00000000 00000005 00000003 a0000000 00000002
            """);
    assertThat(read(packet))
        .containsExactly(
            new Submessage.AckNack(0x3c7, 0x3c2, new NumberSet(5, List.of(5L, 7L)), 2, true));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    NumberSet numbers = new NumberSet(3, List.of(4L, 35L, 258L));
    Submessage.Data part =
        new Submessage.Data(1, 2, 9, new ParameterList(), false, new byte[] {1, 2, 3, 4});
    List<Submessage> all =
        List.of(
            new Submessage.Heartbeat(1, 2, 3, 4, 5, false),
            new Submessage.HeartbeatFrag(1, 2, 3, 4, 5),
            new Submessage.AckNack(1, 2, numbers, 5, false),
            new Submessage.NackFrag(1, 2, 77, numbers, 5),
            new Submessage.Gap(1, 2, 1, numbers));
    PacketWriter packet = new PacketWriter(THERE, HERE).stamp(1_700_000_000_123_456_789L);
    all.forEach(packet::add);
    packet.add(part).add(new Submessage.DataFrag(part, 2, 1, 256, 260));
    List<Submessage> read = read(packet.bytes());
    assertThat(read.subList(0, all.size())).isEqualTo(all);
    assertThat(((Submessage.Data) read.get(5)).payload()).containsExactly(1, 2, 3, 4);
    Submessage.DataFrag fragment = (Submessage.DataFrag) read.get(6);
    assertThat(fragment.first()).isEqualTo(2);
    assertThat(fragment.total()).isEqualTo(2);
    assertThat(fragment.data().payload()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void whatIsForOthersIsLeftOut() {
    Submessage.Heartbeat beat = new Submessage.Heartbeat(1, 2, 3, 4, 5, false);
    GuidPrefix other = new GuidPrefix(1, 1);
    assertThat(read(new PacketWriter(THERE, other).add(beat).bytes())).isEmpty();
    assertThat(read(new PacketWriter(HERE, GuidPrefix.UNKNOWN).add(beat).bytes())).isEmpty();
    assertThat(read(new PacketWriter(THERE, GuidPrefix.UNKNOWN).add(beat).bytes())).hasSize(1);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    String header = "52545053 0203 0110 111213141516171800000019";
    String ids = "000003c7 000003c2";
    for (String wrong :
        List.of(
            "47494f50 0203 0110 111213141516171800000019",
            "52545053 0103 0110 111213141516171800000019",
            header + "0602 0018" + ids + "00000000 00000005 00000101 00000002",
            header + "0700 001c" + ids + "00000000 00000005 00000000 00000003 00000001",
            header + "0700 001c" + ids + "00000000 00000000 00000000 00000003 00000001",
            header + "0700 0100" + ids,
            header
                + "1600 0024 0000 001c"
                + ids
                + "00000000 00000001 00000001 0001 0400 7fffffff 00000000")) {
      assertThatThrownBy(() -> read(bytes(wrong))).isInstanceOf(MalformedPacketException.class);
    }
  }

  /** Ten thousand at random and ten thousand that are nearly right. */
  @Test
  void noBytesDoMoreThanMakeNoSense() {
    long seed = 35;
    Random random = new Random(seed);
    NumberSet numbers = new NumberSet(3, List.of(4L, 35L));
    Submessage.Data data =
        new Submessage.Data(
            1, 2, 9, new ParameterList().add(5, "rt/scan").add(0x71, 3), false, new byte[40]);
    byte[] right =
        new PacketWriter(THERE, HERE)
            .add(new Submessage.AckNack(1, 2, numbers, 5, false))
            .add(data)
            .add(new Submessage.DataFrag(data, 2, 1, 256, 296))
            .add(new Submessage.Gap(1, 2, 1, numbers))
            .bytes();
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] packet = i % 2 == 0 ? right.clone() : new byte[20 + random.nextInt(200)];
      if (i % 2 == 0) {
        for (int change = random.nextInt(8); change >= 0; change--) {
          packet[8 + random.nextInt(packet.length - 8)] = (byte) random.nextInt();
        }
      } else {
        random.nextBytes(packet);
        System.arraycopy(right, 0, packet, 0, 20);
      }
      try {
        read(packet);
      } catch (MalformedPacketException e) {
        refused++;
      }
    }
    assertThat(refused).as("of 20,000 by seed %d", seed).isBetween(5_000, 19_999);
  }
}
