package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run whose maps would take more memory than a robot may have is refused from a reading on, the
 * same after any death; the other robots do not notice.
 */
@Quick
class MemoryQuotaTest extends NetworkTest {

  private static final long SEED = 33;
  private static final int READINGS = 30;
  private static final int LATER = 6;

  /** Of its maps r2 needs much less. */
  private static final String FEW_MEGABYTES = "13";

  /** Each reading shows another place, 60 m from the one before. */
  private static List<Reading> growing() {
    Random random = new Random(SEED);
    System.out.println("seed " + SEED);
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < READINGS; i++) {
      float[] ranges = new float[60];
      for (int beam = 0; beam < ranges.length; beam++) {
        ranges[beam] = 1 + 6 * random.nextFloat();
      }
      Scan scan = new Scan(Pose.ORIGIN, -1.5, 0.05, 0.1, 100, ranges);
      readings.add(new Reading(i * 30_000_000_000L, new Pose(1 + 20.0 * i, 1, 0), scan));
    }
    return readings;
  }

  private final List<Reading> readings = growing();

  private static ServiceSettings quota(int tasks, String mode) {
    return checkpointed(settings(tasks, "mode", mode, "robotMegabytes", FEW_MEGABYTES), 3);
  }

  private long firstRefused() {
    return LongStream.rangeClosed(1, READINGS)
        .filter(n -> of("r1").outcome(n) != null && of("r1").outcome(n).startsWith("Refused"))
        .findFirst()
        .orElse(READINGS + 1L);
  }

  /** The robot sends until the first refusal has come. */
  private long driveToTheFirstRefusal(Network network) {
    int sequence = 0;
    while (firstRefused() > READINGS) {
      sequence++;
      network.send(reading("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    return sequence;
  }

  private void assertRefusedFrom(long first, int last, ServiceSettings settings) {
    assertThat(first).isBetween(3L, READINGS - (long) LATER);
    for (long sequence = first; sequence <= last; sequence++) {
      assertThat(of("r1").outcome(sequence))
          .startsWith("Refused[refusal=TOO_MUCH_MEMORY,")
          .contains("topology.robotMegabytes")
          .contains("with reading " + first + "; 13 are allowed");
    }
    Set<Long> refused = LongStream.rangeClosed(first, last).boxed().collect(Collectors.toSet());
    List<Reading> sent = readings.subList(0, last);
    Answers.Result without =
        Answers.serialWithout(refused, settings.filter(), "r1", new ArrayList<>(sent));
    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(first - 1);
    assertThat(of("r1").report().refused()).isEqualTo(last - first + 1);
    assertThat(of("r1").result().path()).isEqualTo(without.path());
    assertThat(of("r1").result().map()).isEqualTo(without.map());
  }

  private void assertOthersAreServed(Network network, ServiceSettings settings) {
    List<Reading> others = Drive.readings(11, 12);
    drive(network, "r2", others, 1, others.size());
    finish(network, "r2", others.size());
    assertUndisturbed(settings, "r2", others);
  }

  @InEachMode
  void refusesARunThatGrowsAndGivesItsMapUpToThere(String mode) {
    ServiceSettings settings = quota(2, mode);
    Network network = network(1, settings);
    int last = (int) driveToTheFirstRefusal(network) + LATER;
    drive(network, readings, last - LATER + 1, last);
    finish(network, "r1", last);

    assertRefusedFrom(firstRefused(), last, settings);
    assertOthersAreServed(network, settings);
  }

  /** Whoever dies after the robot heard of it, and whatever is counted then. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void repeatsTheRefusalAfterTheDeathOfAll(int seed) {
    ServiceSettings settings = quota(2, "dataflow");
    Network network = network(seed, settings);
    int first = (int) driveToTheFirstRefusal(network);
    network.replaceService();
    awaitAnswers(network, first);
    drive(network, readings, first + 1, first + LATER);
    network.restartDispatcher();
    finish(network, "r1", first + LATER);

    assertRefusedFrom(first, first + LATER, settings);
  }

  /** Those that are as the manifest says. */
  private static List<String> partsOfLatest(CheckpointStore store) throws IOException {
    Manifest latest = store.latest("r1-" + Long.toHexString(RUN), unusable -> {}).orElseThrow();
    List<String> names = new ArrayList<>();
    for (CheckpointPart part : latest.parts()) {
      assertThat(store.read(latest.id(), part)).hasSize((int) part.bytes());
      names.add(part.name());
    }
    return names;
  }

  /**
   * Its particles are in the checkpoint, each later one takes them over without writing them again,
   * and restores load them.
   */
  @InEachMode
  void letsGoOfItsParticlesAndHasThemInEachCheckpoint(String mode) throws IOException {
    ServiceSettings settings = quota(2, mode);
    UnreliableStore store = new UnreliableStore();
    Network network = network(1, settings, store);
    int first = (int) driveToTheFirstRefusal(network);
    passUntil(network, () -> !network.hasParticles("r1"));
    long written = store.written("matchers-0");
    long ofPublisher = store.written("publisher-0");
    drive(network, readings, first + 1, first + 2);
    passUntil(network, () -> store.latestReading("r1") == first + 2);
    assertThat(store.written("matchers-0")).isEqualTo(written).isPositive();
    assertThat(store.written("publisher-0")).isGreaterThan(ofPublisher);

    network.restartMatcher(0);
    long epoch = network.run("r1").epoch();
    passUntil(network, () -> network.run("r1").epoch() > epoch);
    passUntil(network, () -> !network.hasParticles("r1"));
    drive(network, readings, first + 3, first + 4);
    passUntil(network, () -> store.latestReading("r1") == first + 4);
    assertThat(partsOfLatest(store)).contains("matchers-0", "matchers-1", "publisher-0");
    network.restartPublisher();
    network.replaceService();
    drive(network, readings, first + 5, first + LATER);
    finish(network, "r1", first + LATER);

    assertRefusedFrom(first, first + LATER, settings);
    assertOthersAreServed(network, settings);
  }

  /** What could not be stored is needed still. */
  @Test
  void keepsItsParticlesWhereTheyAreInNoCheckpoint() {
    ServiceSettings settings = quota(2, "dataflow");
    Network network = network(1, settings, (CheckpointStore) null);
    int last = (int) driveToTheFirstRefusal(network);
    network.pass(30);
    assertThat(network.hasParticles("r1")).isTrue();
    network.restartMatcher(0);
    finish(network, "r1", last);
    assertRefusedFrom(firstRefused(), last, settings);
  }

  /** A layout in which as much fits is not asked: the refusal is in the checkpoint. */
  @Test
  void isRepeatedWhereMoreWouldBeAllowed() {
    ServiceSettings settings = quota(2, "dataflow");
    MemoryStore store = new MemoryStore();
    Network network = network(1, settings, store);
    int first = (int) driveToTheFirstRefusal(network);
    List<Payload.Arrival> unacknowledged = network.unacknowledgedMessages();
    network.close();
    ServiceSettings larger = checkpointed(settings(1, "robotMegabytes", "1000"), 3);
    Network successor = network(2, larger, store);
    unacknowledged.forEach(successor::send);
    successor.deliverAll();
    drive(successor, readings, first + 1, first + LATER);
    finish(successor, "r1", first + LATER);

    assertRefusedFrom(first, first + LATER, settings);
  }

  /** The refusal is not told before it is stored. */
  @Test
  void isDurableBeforeTheRobotHearsOfIt() {
    UnreliableStore store = new UnreliableStore();
    Network network = network(1, quota(2, "dataflow"), store);
    drive(network, readings, 1, 2);
    network.pass(5);
    network.writings.hold(true);
    int sequence = 2;
    while (of("r1").answered() == sequence) {
      sequence++;
      network.send(reading("r1", sequence, readings));
      network.deliverAll();
    }
    network.pass(5);
    assertThat(of("r1").outcome(sequence)).isNull();
    network.writings.hold(false);
    awaitAnswers(network, sequence);

    assertThat(of("r1").outcome(sequence)).startsWith("Refused[refusal=TOO_MUCH_MEMORY,");
    assertThat(store.latestReading("r1")).isEqualTo(sequence - 1);
  }

  /** Where nothing can be stored, nothing would be repeated either. */
  @Test
  void isToldAtOnceWhereThereIsNoStore() {
    ServiceSettings settings = quota(2, "dataflow");
    Network network = network(1, settings, (CheckpointStore) null);
    int last = (int) driveToTheFirstRefusal(network);
    finish(network, "r1", last);

    assertRefusedFrom(firstRefused(), last, settings);
  }

  /** One such reading would end the worker before anything could be counted. */
  @Test
  void refusesTheFirstReadingIfItAloneWouldTakeTooMuch() {
    float[] ranges = new float[10_000];
    Random random = new Random(SEED);
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = 299 * random.nextFloat();
    }
    Scan scan = new Scan(Pose.ORIGIN, -3, 6.0 / ranges.length, 0.1, 300, ranges);
    List<Reading> huge = List.of(new Reading(0, Pose.ORIGIN, scan));
    ServiceSettings settings = quota(2, "dataflow");
    Network network = network(1, settings);
    network.send(reading("r1", 1, huge));
    finish(network, "r1", 1);

    assertThat(of("r1").outcome(1)).startsWith("Refused[refusal=TOO_MUCH_MEMORY,");
    assertThat(network.delivered(Streams.KEY_FRAMES)).isZero();
    assertThat(of("r1").report().failure()).isEmpty();
    assertOthersAreServed(network, settings);
  }

  /** Whichever task of whichever robot noticed it. */
  @Test
  void refusesTheLargestRunWhenAProcessRunsShort() {
    ServiceSettings settings = checkpointed(settings(2, "robotMegabytes", "1000"), 3);
    Network network = network(1, settings);
    List<Reading> others = Drive.readings(11, 12);
    network.send(reading("r2", 1, others));
    drive(network, readings, 1, 4);
    network.send(
        Streams.MEMORY_PRESSURE, new Payload.MemoryPressure(network.run("r2"), "the heap is full"));
    network.deliverAll();
    drive(network, readings, 5, 6);
    finish(network, "r1", 6);
    drive(network, "r2", others, 2, others.size());
    finish(network, "r2", others.size());

    assertThat(of("r1").outcome(5))
        .startsWith("Refused[refusal=MEMORY_SHORT,")
        .contains("the heap is full");
    assertThat(of("r1").report().processed()).isEqualTo(4);
    assertThat(of("r1").report().refused()).isEqualTo(2);
    assertUndisturbed(settings, "r2", others);
  }

  /**
   * With 27 scans of 10,000 beams it has more than a megabyte of them, however few beams hit
   * something, which are what matching takes its time for.
   */
  @Test
  void refusesWhatComesBehindTooManyScansTheSameAfterTheDeathOfAll() {
    int first = 28;
    float[] ranges = new float[10_000];
    Arrays.fill(ranges, Float.NaN);
    for (int beam = 0; beam < ranges.length; beam += 50) {
      ranges[beam] = 2;
    }
    Scan scan = new Scan(Pose.ORIGIN, -3, 6.0 / ranges.length, 0.1, 8, ranges);
    List<Reading> wide =
        IntStream.range(0, first + LATER)
            .mapToObj(i -> new Reading(i * 1_000_000_000L, new Pose(0.3 * i, 0, 0), scan))
            .toList();
    ServiceSettings settings =
        checkpointed(settings(2, "robotMegabytes", "1000", "robotScanMegabytes", "1"), 3);
    Network network = network(1, settings);
    drive(network, wide, 1, first + 1);
    assertThat(of("r1").outcome(first - 1)).doesNotStartWith("Refused");
    network.replaceService();
    drive(network, wide, first + 2, wide.size());
    finish(network, "r1", wide.size());

    for (long sequence = first; sequence <= wide.size(); sequence++) {
      assertThat(of("r1").outcome(sequence))
          .startsWith("Refused[refusal=TOO_MANY_SCANS,")
          .contains("those before reading 28 take more than the 1 MB that are allowed");
    }
    Answers.Result without =
        Answers.serial(settings.filter(), "r1", new ArrayList<>(wide.subList(0, first - 1)));
    assertThat(of("r1").result().path()).isEqualTo(without.path());
    assertThat(of("r1").result().map()).isEqualTo(without.map());
    assertOthersAreServed(network, settings);
  }

  /** What makes no sense is refused for that, however much it would take if it did. */
  @Test
  void aReadingWithTooManyBeamsDoesNotEndItsRun() {
    float[] ranges = new float[60_000];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = 1 + i % 290;
    }
    Scan scan = new Scan(Pose.ORIGIN, -3, 6.0 / ranges.length, 0.1, 300, ranges);
    List<Reading> room = Drive.readings(11, 4);
    room.set(1, new Reading(room.get(1).stampNanos(), room.get(1).odometry(), scan));
    ServiceSettings settings = quota(2, "dataflow");
    Network network = network(1, settings);
    driveToTheEnd(network, room, 1);

    assertThat(of("r1").outcome(2)).startsWith("Refused[refusal=TOO_MANY_BEAMS,");
    assertUndisturbed(settings, room);
  }

  /** In a room that is known nothing grows, however long the robot drives there. */
  @Test
  void aRobotThatStaysInARoomIsNeverRefused() {
    List<Reading> room = Drive.readings(11, 60);
    ServiceSettings settings = checkpointed(settings(2, "robotMegabytes", "12"), 3);
    Network network = network(1, settings);
    driveToTheEnd(network, room, 1);

    assertUndisturbed(settings, room);
    assertThat(of("r1").report().refused()).isZero();
    assertThat(of("r1").report().processed()).isEqualTo(room.size());
  }
}
