package org.cartostream.ros.rtps.endpoint;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.rtps.wire.PacketWriter;

/**
 * Paces the fragments of large samples: sends a few at a time, so that they do not overflow the
 * receiver's buffer, and small samples are not delayed. Owns the transmissions in progress.
 */
public final class FragmentPacer {

  /**
   * Number of fragments in a burst, which makes 43 MB/s. A receive buffer of Linux's default size
   * has room for some 150 of them.
   */
  private static final int BURST = 32;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final EndpointContext context;
  private final Set<Transmission> underway = new LinkedHashSet<>();
  private boolean scheduled;

  public FragmentPacer(EndpointContext context) {
    this.context = context;
  }

  void add(Transmission transmission) {
    underway.add(transmission);
    schedule();
  }

  void drop(Transmission transmission) {
    underway.remove(transmission);
  }

  private void schedule() {
    if (!scheduled && !underway.isEmpty()) {
      scheduled = true;
      context.after(
          PAUSE_NANOS,
          () -> {
            scheduled = false;
            burst();
            schedule();
          });
    }
  }

  /** Sends up to {@link #BURST} fragments; the transmissions take turns. */
  private void burst() {
    ArrayDeque<Transmission> turns = new ArrayDeque<>(underway);
    for (int i = 0; i < BURST && !turns.isEmpty(); i++) {
      Transmission transmission = turns.poll();
      if (!transmission.isDone()) {
        ReaderProxy reader = transmission.reader();
        PacketWriter packet =
            new PacketWriter(context.self(), reader.guid().prefix()).add(transmission.next());
        if (!context.send(packet, reader.address())) {
          return;
        }
        transmission.sent();
      }
      if (transmission.isDone()) {
        underway.remove(transmission);
        transmission.onDone();
      } else {
        turns.add(transmission);
      }
    }
  }
}
