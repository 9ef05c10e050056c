package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.serialization.WireWriter;

/**
 * Numbers of samples or fragments from a base on, 256 at most (9.4.2.6, 9.4.2.8).
 *
 * @param numbers ascending; each at least {@code base}, and less than 256 more
 */
public record NumberSet(long base, List<Long> numbers) {

  /** Maximum length of the range of numbers, from the base on, that a set can have. */
  public static final int SPAN = 256;

  private static final int WORD = Integer.SIZE;

  public NumberSet {
    numbers = List.copyOf(numbers);
  }

  /**
   * Reads a set.
   *
   * @param base base, which was read before because its size differs between samples and fragments
   */
  static NumberSet read(long base, ByteBuffer in) {
    long count = Integer.toUnsignedLong(in.getInt());
    if (base < 0 || count > SPAN || base > Long.MAX_VALUE - SPAN) {
      throw new MalformedPacketException("a set of " + count + " numbers from " + base + " on");
    }
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < count; i += WORD) {
      int word = in.getInt();
      for (int bit = 0; bit < WORD && i + bit < count; bit++) {
        if ((word << bit) < 0) {
          numbers.add(base + i + bit);
        }
      }
    }
    return new NumberSet(base, numbers);
  }

  /** Writes the set without its base. */
  void write(WireWriter out) {
    int count = numbers.isEmpty() ? 0 : Math.toIntExact(numbers.get(numbers.size() - 1) - base + 1);
    int[] words = new int[(count + WORD - 1) / WORD];
    for (long number : numbers) {
      int offset = (int) (number - base);
      words[offset / WORD] |= Integer.MIN_VALUE >>> offset % WORD;
    }
    out.room(Integer.BYTES).putInt(count);
    for (int word : words) {
      out.room(Integer.BYTES).putInt(word);
    }
  }
}
