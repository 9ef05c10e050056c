package org.cartostream.ros.rtps.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cartostream.ros.rtps.wire.EntityIds;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketReader;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.Submessage;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer and a reader with a bad link between them. */
@Quick
class ReliableDeliveryTest {

  private static final GuidPrefix HERE = new GuidPrefix(1, 1);
  private static final GuidPrefix THERE = new GuidPrefix(2, 2);
  private static final InetSocketAddress NOWHERE = new InetSocketAddress(1);
  private static final int LARGE = 100_000;

  private final List<Sample> received = new ArrayList<>();
  private final List<Submessage.NackFrag> askedFor = new ArrayList<>();
  private LossyLink link;
  private SampleWriter writer;
  private SampleReader reader;

  private void connect(double loss, int depth, boolean reliable, boolean wantsHistory) {
    link = new LossyLink(35, loss);
    PacketReader.Handler toReader = (sender, what) -> reader.on(sender.prefix(), what);
    PacketReader.Handler toWriter =
        (sender, what) -> {
          if (what instanceof Submessage.AckNack answer) {
            writer.on(sender.prefix(), answer);
          } else if (what instanceof Submessage.NackFrag answer) {
            askedFor.add(answer);
            writer.on(sender.prefix(), answer);
          }
        };
    EndpointContext here = link.end(HERE, THERE, toReader);
    EndpointContext there = link.end(THERE, HERE, toWriter);
    writer = new SampleWriter(here, new FragmentPacer(here), EntityIds.writer(1), depth);
    reader =
        new SampleReader(
            there, EntityIds.reader(1), reliable, wantsHistory, 1 << 27, received::add);
  }

  private void match(boolean reliable, boolean wantsHistory) {
    writer.match(new SampleWriter.Match(reader.guid(), NOWHERE, reliable, wantsHistory));
    reader.match(new SampleReader.Match(writer.guid(), NOWHERE, reliable, wantsHistory));
  }

  private static byte[] payload(int number, int size) {
    byte[] payload = new byte[size];
    new Random(number).nextBytes(payload);
    return payload;
  }

  private List<Long> numbers() {
    return received.stream().map(Sample::number).toList();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.05, 0.3})
  void allArriveInOrderSmallAndLarge(double loss) {
    connect(loss, 1000, true, false);
    match(true, false);
    link.run(100);
    for (int i = 1; i <= 200; i++) {
      writer.write(payload(i, i % 20 == 0 ? LARGE : 100));
      link.run(25);
    }
    link.run(20_000);
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, 200).boxed().toList());
    for (Sample each : received) {
      int number = (int) each.number();
      assertThat(each.payload()).isEqualTo(payload(number, number % 20 == 0 ? LARGE : 100));
    }
  }

  /** Which request a large reply is to is said there. */
  @Test
  void aLargeSampleHasItsInlineQosWhicheverFragmentComesFirst() {
    connect(0.3, 1000, true, false);
    match(true, false);
    link.run(100);
    int identity = 0x83;
    for (int i = 1; i <= 20; i++) {
      writer.write(new ParameterList().add(identity, i), false, payload(i, LARGE));
      link.run(100);
    }
    link.run(20_000);
    assertThat(received.stream().map(each -> each.inlineQos().number(identity).orElse(0)))
        .isEqualTo(IntStream.rangeClosed(1, 20).boxed().toList());
  }

  @Test
  void whatWasWrittenWhileTheLinkWasCutArrivesLater() {
    connect(0.05, 1000, true, false);
    match(true, false);
    link.run(100);
    for (int i = 1; i <= 200; i++) {
      link.cut(i > 50 && i <= 130); // 4 s.
      writer.write(payload(i, 100));
      link.run(50);
    }
    link.run(5000);
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, 200).boxed().toList());
  }

  @Test
  void whatIsNotKeptIsPassedOverAndTheRestArrives() {
    connect(0, 10, true, false);
    match(true, false);
    link.run(100);
    link.cut(true);
    for (int i = 1; i <= 100; i++) {
      writer.write(payload(i, 100));
      link.run(10);
    }
    link.cut(false);
    link.run(5000);
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(91, 100).boxed().toList());
  }

  @Test
  void aLateReaderHasTheLatchedSampleAndNoOlderOnes() {
    connect(0.05, 1, true, true);
    writer.write(payload(1, LARGE));
    writer.write(payload(2, 3_240_000));
    match(true, true);
    link.run(10_000);
    assertThat(numbers()).containsExactly(2L);
    assertThat(received.get(0).payload()).isEqualTo(payload(2, 3_240_000));
  }

  @Test
  void aLateVolatileReaderHasOnlyWhatComes() {
    connect(0, 100, true, false);
    writer.write(payload(1, 100));
    match(true, false);
    link.run(1000);
    writer.write(payload(2, 100));
    link.run(1000);
    assertThat(numbers()).containsExactly(2L);
  }

  /** As a request that a client writes when it knows the service, which does not know it yet. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aReaderThatKnowsItsWriterLateHasWhatWasWrittenSinceTheWriterKnewIt(int samples) {
    connect(0, 100, true, false);
    writer.write(payload(1, 100));
    writer.match(new SampleWriter.Match(reader.guid(), NOWHERE, true, false));
    for (int i = 0; i < samples; i++) {
      writer.write(payload(2 + i, 100));
    }
    link.run(50);
    assertThat(received).isEmpty();
    reader.match(new SampleReader.Match(writer.guid(), NOWHERE, true, false));
    link.run(1000);
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(2, 1 + samples).boxed().toList());
  }

  /** A writer's kept samples are for those who want them. */
  @Test
  void aVolatileReaderHasNothingOfALatchedWritersHistory() {
    connect(0, 100, true, false);
    writer.write(payload(1, 100));
    writer.match(new SampleWriter.Match(reader.guid(), NOWHERE, true, true));
    link.run(50);
    reader.match(new SampleReader.Match(writer.guid(), NOWHERE, true, true));
    link.run(1000);
    writer.write(payload(2, 100));
    link.run(1000);
    assertThat(numbers()).containsExactly(2L);
  }

  @Test
  void byBestEffortSamplesAreMissingAndNoneIsOldOrTwice() {
    connect(0.2, 5, false, false);
    match(false, false);
    for (int i = 1; i <= 500; i++) {
      writer.write(payload(i, 100));
      link.run(1);
    }
    link.run(100);
    assertThat(numbers()).isSorted().doesNotHaveDuplicates();
    assertThat(numbers().size()).isBetween(300, 450);
  }

  /** By other writers' word, and sooner than by a pause (8.4.14). */
  @Test
  void fragmentsThatAWriterHasSentAreAskedForByItsHeartbeat() {
    connect(0, 10, true, true);
    reader.match(new SampleReader.Match(writer.guid(), NOWHERE, true, true));
    int id = writer.guid().entity();
    Submessage.Data part = new Submessage.Data(0, id, 1, new ParameterList(), false, new byte[8]);
    reader.on(HERE, new Submessage.Heartbeat(0, id, 1, 2, 1, true));
    reader.on(HERE, new Submessage.DataFrag(part, 2, 1, 8, 80));
    reader.on(HERE, new Submessage.HeartbeatFrag(0, id, 1, 4, 1));
    reader.on(HERE, new Submessage.HeartbeatFrag(0, id, 1, 5, 1)); // Of the same count: a copy.
    reader.on(HERE, new Submessage.HeartbeatFrag(0, id, 2, 3, 2)); // Of which none has come.
    reader.on(HERE, new Submessage.HeartbeatFrag(0, id, 2, -1, 3));
    link.run(5);
    assertThat(askedFor.stream().sorted(Comparator.comparing(Submessage.NackFrag::number)))
        .extracting(Submessage.NackFrag::number, each -> each.missing().numbers())
        .containsExactly(tuple(1L, List.of(1L, 3L, 4L)), tuple(2L, List.of(1L, 2L, 3L)));
  }

  /** Else a link is never quiet. */
  @Test
  void nothingIsSentWhenAllIsAcknowledged() {
    connect(0, 100, true, false);
    match(true, false);
    writer.write(payload(1, LARGE));
    link.run(2000);
    long before = link.sent();
    link.run(60_000);
    assertThat(link.sent()).isEqualTo(before);
  }

  /** A reader that never answers is asked less and less. */
  @Test
  void aSilentReaderCostsLittle() {
    connect(0, 100, true, false);
    writer.match(new SampleWriter.Match(reader.guid(), NOWHERE, true, false));
    writer.write(payload(1, 100));
    link.run(60_000);
    assertThat(link.sent()).isLessThan(100);
  }

  /** It would stand still for good: what waits is only delivered after it. */
  @Test
  void theNextSampleIsTakenInFragmentsWhenThereIsNoMoreRoom() {
    connect(0, 1, true, true);
    int max = 20_000;
    SampleReader narrow =
        new SampleReader(
            link.end(THERE, HERE, (sender, what) -> {}),
            EntityIds.reader(2),
            true,
            true,
            max,
            received::add);
    narrow.match(new SampleReader.Match(writer.guid(), NOWHERE, true, true));
    int id = writer.guid().entity();
    narrow.on(HERE, new Submessage.Heartbeat(EntityIds.UNKNOWN, id, 1, 2, 1, true));
    narrow.on(HERE, data(id, 2, new byte[max]));
    for (int fragment = 1; fragment <= 2; fragment++) {
      narrow.on(HERE, new Submessage.DataFrag(data(id, 1, new byte[500]), fragment, 1, 500, 1000));
    }
    assertThat(received).extracting(Sample::number).containsExactly(1L, 2L);
  }

  private static Submessage.Data data(int writer, long number, byte[] payload) {
    return new Submessage.Data(
        EntityIds.UNKNOWN, writer, number, new ParameterList(), false, payload);
  }
}
