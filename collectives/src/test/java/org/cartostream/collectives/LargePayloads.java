package org.cartostream.collectives;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.settings.Settings;

/** Operations with payloads that no frame may hold, for the tests of them over each channel. */
public final class LargePayloads {

  public static final int PART_BYTES = 64;
  public static final int FRAME_BYTES = 160;

  public static final CollectiveSettings SETTINGS =
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

  private LargePayloads() {}

  /** An operation with random payloads, whose sizes are where parts and frames end. */
  public static RandomOperation work(Object[] kind, int size, long seed) {
    Random random = new Random(seed);
    byte[][] payloads = bytes(size, random);
    byte[][][] parcels = new byte[size][][];
    Arrays.setAll(parcels, from -> bytes(size, random));
    int root = random.nextInt(size);
    return new RandomOperation((Operation) kind[0], (Algorithm) kind[1], root, payloads, parcels);
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
}
