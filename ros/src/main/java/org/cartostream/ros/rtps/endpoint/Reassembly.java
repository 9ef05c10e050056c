package org.cartostream.ros.rtps.endpoint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.cartostream.ros.rtps.wire.NumberSet;
import org.cartostream.ros.rtps.wire.Submessage.Data;
import org.cartostream.ros.rtps.wire.Submessage.DataFrag;

/**
 * A sample of which some fragments have come (8.4.14.1). Owns these fragments; takes memory only
 * for them, not for the whole size that a fragment claims.
 */
final class Reassembly {

  private final DataFrag first;
  private final Map<Integer, byte[]> fragments = new HashMap<>();

  /** Number of the first missing fragment, from 1. */
  private int firstMissing = 1;

  private long lastNanos;
  private long bytes;

  Reassembly(DataFrag first) {
    this.first = first;
  }

  /**
   * Adds fragments; ignores those that are inconsistent with the first.
   *
   * @return memory of the added fragments, bytes
   */
  long add(DataFrag more, long nanos) {
    if (more.size() != first.size() || more.sampleSize() != first.sampleSize()) {
      return 0;
    }
    long before = bytes;
    lastNanos = nanos;
    for (int i = 0; i < more.count(); i++) {
      int number = more.first() + i;
      int from = i * first.size();
      if (!fragments.containsKey(number)) {
        fragments.put(
            number, Arrays.copyOfRange(more.data().payload(), from, from + length(number)));
        bytes += length(number) + HeldBytes.OVERHEAD;
      }
    }
    while (fragments.containsKey(firstMissing)) {
      firstMissing++;
    }
    return bytes - before;
  }

  /** Returns the memory of the fragments, bytes. */
  long bytes() {
    return bytes;
  }

  private int length(int number) {
    return Math.min(first.size(), first.sampleSize() - (number - 1) * first.size());
  }

  boolean isComplete() {
    return firstMissing > first.total();
  }

  /** Returns the time at which the last fragments came, nanoseconds. */
  long lastNanos() {
    return lastNanos;
  }

  /** Returns the missing fragments up to {@code last} of a sample of which none has come. */
  static NumberSet all(int last) {
    return new NumberSet(
        1, LongStream.rangeClosed(1, Math.min(last, NumberSet.SPAN)).boxed().toList());
  }

  /** Returns the missing fragments up to {@code last}, as many as one request can have. */
  NumberSet missing(int last) {
    int end = Math.min(Math.min(first.total(), last) + 1, firstMissing + NumberSet.SPAN);
    return new NumberSet(
        firstMissing,
        LongStream.range(firstMissing, end)
            .filter(number -> !fragments.containsKey((int) number))
            .boxed()
            .toList());
  }

  /** Returns the whole sample. */
  Data whole() {
    byte[] payload = new byte[first.sampleSize()];
    fragments.forEach(
        (number, bytes) ->
            System.arraycopy(bytes, 0, payload, (number - 1) * first.size(), bytes.length));
    Data data = first.data();
    return new Data(
        data.readerId(), data.writerId(), data.number(), data.inlineQos(), data.isKey(), payload);
  }
}
