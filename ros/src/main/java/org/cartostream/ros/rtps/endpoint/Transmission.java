package org.cartostream.ros.rtps.endpoint;

import java.util.Arrays;
import java.util.BitSet;
import org.cartostream.ros.rtps.wire.Submessage.Data;
import org.cartostream.ros.rtps.wire.Submessage.DataFrag;

/**
 * A large sample on its way to one reader (8.4.14.1). Owns the numbers of the fragments that are
 * still to be sent.
 */
final class Transmission {

  /** Size of a fragment, bytes: fits an Ethernet frame with headers and a service's inline QoS. */
  static final int FRAGMENT_BYTES = 1336;

  private final ReaderProxy reader;
  private final Sample sample;
  private final BitSet pending = new BitSet();
  private final int total;
  private final Runnable done;

  /**
   * @param done runs whenever no fragment is left to be sent
   */
  Transmission(ReaderProxy reader, Sample sample, Runnable done) {
    this.reader = reader;
    this.sample = sample;
    this.done = done;
    total = (sample.payload().length + FRAGMENT_BYTES - 1) / FRAGMENT_BYTES;
  }

  ReaderProxy reader() {
    return reader;
  }

  void addAll() {
    pending.set(1, total + 1);
  }

  void add(long fragment) {
    if (fragment >= 1 && fragment <= total) {
      pending.set((int) fragment);
    }
  }

  boolean isDone() {
    return pending.isEmpty();
  }

  /** Returns the next fragment, the same until {@link #sent} is called. */
  DataFrag next() {
    int number = pending.nextSetBit(1);
    byte[] all = sample.payload();
    int from = (number - 1) * FRAGMENT_BYTES;
    byte[] part = Arrays.copyOfRange(all, from, Math.min(from + FRAGMENT_BYTES, all.length));
    Data data =
        new Data(
            reader.guid().entity(),
            sample.writer().entity(),
            sample.number(),
            sample.inlineQos(), // Fast DDS takes that of the fragment that comes first.
            false,
            part);
    return new DataFrag(data, number, 1, FRAGMENT_BYTES, all.length);
  }

  void onDone() {
    done.run();
  }

  void sent() {
    pending.clear(pending.nextSetBit(1));
  }
}
