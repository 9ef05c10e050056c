package org.cartostream.collectives.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.RandomOperation;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.settings.Settings;

/** Operations with payloads that no frame may hold, for the tests of them over each channel. */
final class LargePayloads {

  static final int PART_BYTES = 64;
  static final int FRAME_BYTES = 160;

  static final CollectiveSettings SETTINGS =
      Settings.with(
          CollectiveSettings.defaults(),
          Map.of(
              "partBytes",
              Integer.toString(PART_BYTES),
              "maxFrameBytes",
              Integer.toString(FRAME_BYTES)));

  /** One byte less, or more, may make another part, or another frame. */
  private static final List<Integer> BOUNDARIES =
      List.of(0, PART_BYTES, FRAME_BYTES, 3 * PART_BYTES, 9 * PART_BYTES, 20 * PART_BYTES);

  private static long rounds;

  private LargePayloads() {}

  /** An operation with random payloads, whose sizes are where parts and frames end. */
  static RandomOperation work(Object[] kind, int size, long seed) {
    Random random = new Random(seed);
    byte[][] payloads = bytes(size, random);
    byte[][][] parcels = new byte[size][][];
    Arrays.setAll(parcels, from -> bytes(size, random));
    int root = random.nextInt(size);
    return new RandomOperation(
        (Operation) kind[0],
        (Algorithm) kind[1],
        random.nextBoolean() ? CompletionMode.TOGETHER : CompletionMode.ALONE,
        root,
        payloads,
        parcels);
  }

  private static byte[][] bytes(int size, Random random) {
    return IntStream.range(0, size).mapToObj(i -> bytes(random)).toArray(byte[][]::new);
  }

  private static byte[] bytes(Random random) {
    int boundary = BOUNDARIES.get(random.nextInt(BOUNDARIES.size()));
    byte[] bytes = new byte[Math.max(0, boundary + random.nextInt(3) - 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Members spoil what they gave as soon as their call returns, though it is yet to be fetched. */
  static void check(Group group, Object[] kind, long seed) {
    RandomOperation randomOperation = work(kind, group.size(), seed);
    RandomOperation given = work(kind, group.size(), seed);
    OperationKey key = Group.round(++rounds);
    List<CollectiveFuture<?>> collectiveFutures = new ArrayList<>();
    for (int rank = 0; rank < group.size(); rank++) {
      collectiveFutures.add(given.call(group.member(rank), key));
      if (randomOperation.operation()
          != Operation.BROADCAST) { // Whose root is brought what it gave.
        Arrays.fill(given.payloads()[rank], (byte) 7);
        Arrays.stream(given.parcels()[rank]).forEach(parcel -> Arrays.fill(parcel, (byte) 7));
      }
    }
    assertWhole(randomOperation, collectiveFutures);
  }

  static void assertWhole(
      RandomOperation randomOperation, List<CollectiveFuture<?>> collectiveFutures) {
    for (int rank = 0; rank < collectiveFutures.size(); rank++) {
      assertThat(Group.result(collectiveFutures.get(rank)))
          .as("%s, rank %d", randomOperation, rank)
          .isEqualTo(randomOperation.expected(rank));
    }
  }
}
