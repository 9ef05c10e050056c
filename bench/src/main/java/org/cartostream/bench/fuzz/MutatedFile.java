package org.cartostream.bench.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * Bytes of a file, changed at random places, with the origin of each byte, so that it is known what
 * is untouched.
 *
 * @param bytes bytes of the changed file
 * @param origins for each byte, its position in the original file; {@link #NEW} if it has none
 * @param what changes that were made, for people
 */
record MutatedFile(byte[] bytes, int[] origins, List<String> what) {

  static final int NEW = -1;

  private static final int MAX_BYTES = 64;
  private static final int MAX_CHANGES = 3;

  /** Changes of a length: to the edge of what its type holds, or a little off. */
  private static final List<IntUnaryOperator> LENGTHS =
      List.of(
          any -> 0,
          any -> 1,
          any -> -1,
          any -> Integer.MAX_VALUE,
          any -> Integer.MIN_VALUE,
          any -> 1 << 28,
          length -> length + 1,
          length -> length - 1,
          length -> 2 * length);

  static MutatedFile whole(byte[] bytes) {
    int[] origins = new int[bytes.length];
    for (int i = 0; i < origins.length; i++) {
      origins[i] = i;
    }
    return new MutatedFile(bytes.clone(), origins, List.of());
  }

  /** Returns the file with one to three random changes. */
  static MutatedFile of(byte[] bytes, List<Integer> lengths, Random random) {
    MutatedFile file = whole(bytes);
    for (int changes = 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
      if (file.bytes.length > MAX_BYTES) {
        file = file.changed(lengths, random);
      }
    }
    return file;
  }

  private MutatedFile changed(List<Integer> lengths, Random random) {
    int at = random.nextInt(bytes.length);
    int some = Math.min(bytes.length - at, 1 + random.nextInt(MAX_BYTES));
    int many = Math.min(bytes.length - at, 1 + random.nextInt(bytes.length / 4));
    return switch (random.nextInt(7)) {
      case 0 -> overwritten(at, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))}, "flip");
      case 1 -> overwritten(at, randomBytes(some, random), "overwrite");
      case 2 -> overwritten(at, new byte[many], "zero");
      case 3 -> cut(at);
      case 4 -> spliced(at, at + many, new byte[0], "remove");
      case 5 ->
          random.nextBoolean()
              ? spliced(at, at, randomBytes(some, random), "insert")
              : repeated(at, at + many);
      default -> withLength(lengths, at, random);
    };
  }

  private static byte[] randomBytes(int count, Random random) {
    byte[] some = new byte[count];
    random.nextBytes(some);
    return some;
  }

  private MutatedFile withLength(List<Integer> lengths, int otherwise, Random random) {
    int wanted = lengths.isEmpty() ? otherwise : lengths.get(random.nextInt(lengths.size()));
    int at = 0;
    while (at < origins.length && origins[at] != wanted) {
      at++;
    }
    if (at + Integer.BYTES > bytes.length) {
      return this;
    }
    int length = 0;
    for (int i = Integer.BYTES - 1; i >= 0; i--) {
      length = length << 8 | Byte.toUnsignedInt(bytes[at + i]);
    }
    int changed = LENGTHS.get(random.nextInt(LENGTHS.size())).applyAsInt(length);
    byte[] written = new byte[Integer.BYTES];
    for (int i = 0; i < written.length; i++) {
      written[i] = (byte) (changed >> 8 * i);
    }
    return overwritten(at, written, "length");
  }

  private MutatedFile overwritten(int at, byte[] with, String how) {
    return spliced(at, at + with.length, with, how);
  }

  private MutatedFile spliced(int from, int to, byte[] with, String how) {
    int end = Math.min(to, bytes.length);
    byte[] changed = new byte[bytes.length - (end - from) + with.length];
    int[] comeFrom = new int[changed.length];
    System.arraycopy(bytes, 0, changed, 0, from);
    System.arraycopy(origins, 0, comeFrom, 0, from);
    for (int i = 0; i < with.length; i++) {
      changed[from + i] = with[i];
      boolean isSame = from + i < end && bytes[from + i] == with[i];
      comeFrom[from + i] = isSame ? origins[from + i] : NEW;
    }
    System.arraycopy(bytes, end, changed, from + with.length, bytes.length - end);
    System.arraycopy(origins, end, comeFrom, from + with.length, bytes.length - end);
    return new MutatedFile(changed, comeFrom, and("%s %d to %d".formatted(how, from, to)));
  }

  private MutatedFile repeated(int from, int to) {
    int count = to - from;
    byte[] changed = new byte[bytes.length + count];
    int[] comeFrom = new int[changed.length];
    System.arraycopy(bytes, 0, changed, 0, to);
    System.arraycopy(origins, 0, comeFrom, 0, to);
    System.arraycopy(bytes, from, changed, to, bytes.length - from);
    System.arraycopy(origins, from, comeFrom, to, bytes.length - from);
    return new MutatedFile(changed, comeFrom, and("repeat %d to %d".formatted(from, to)));
  }

  private List<String> and(String change) {
    List<String> all = new ArrayList<>(what);
    all.add(change);
    return all;
  }

  /** Returns a file cut off behind this many bytes. */
  MutatedFile cut(int length) {
    return spliced(length, bytes.length, new byte[0], "cut");
  }

  /**
   * Returns one file of several that stand one behind the other: what is new belongs to the file of
   * the byte before it.
   *
   * @param from position of its first byte in the original
   * @param to position behind its last byte
   */
  MutatedFile member(int from, int to) {
    byte[] of = new byte[bytes.length];
    int[] comeFrom = new int[bytes.length];
    int count = 0;
    int latest = 0;
    for (int i = 0; i < bytes.length; i++) {
      latest = origins[i] == NEW ? latest : origins[i];
      if (latest >= from && latest < to) {
        of[count] = bytes[i];
        comeFrom[count++] = origins[i] == NEW ? NEW : origins[i] - from;
      }
    }
    return new MutatedFile(Arrays.copyOf(of, count), Arrays.copyOf(comeFrom, count), what);
  }

  /** Returns the position of a part of the original file, if that lies in one piece; else -1. */
  int find(int from, int to) {
    for (int at = 0; at + (to - from) <= origins.length; at++) {
      if (origins[at] == from && isPiece(at, from, to)) {
        return at;
      }
    }
    return -1;
  }

  private boolean isPiece(int at, int from, int to) {
    for (int i = from; i < to; i++) {
      if (origins[at + i - from] != i) {
        return false;
      }
    }
    return true;
  }
}
