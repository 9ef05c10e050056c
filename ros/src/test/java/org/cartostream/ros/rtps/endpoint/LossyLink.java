package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketReader;
import org.cartostream.ros.rtps.wire.PacketWriter;

/**
 * Two participants and the link between them, which loses and overtakes packets, in a time of its
 * own. Owns what is on the way and what is due.
 */
final class LossyLink {

  private record Event(long dueNanos, long number, Runnable work) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.dueNanos == b.dueNanos
                  ? Long.compare(a.number, b.number)
                  : Long.compare(a.dueNanos, b.dueNanos));
  private final Random random;
  private final double loss;
  private long now;
  private long number;
  private long sent;
  private boolean cut;

  LossyLink(long seed, double loss) {
    random = new Random(seed);
    this.loss = loss;
  }

  /** One end of the link; {@code there} takes what is sent from here. */
  EndpointContext end(GuidPrefix self, GuidPrefix other, PacketReader.Handler there) {
    return new EndpointContext() {
      @Override
      public GuidPrefix self() {
        return self;
      }

      @Override
      public boolean send(PacketWriter packet, InetSocketAddress to) {
        sent++;
        if (!cut && random.nextDouble() >= loss) {
          byte[] bytes = packet.bytes();
          // One in ten is overtaken by others.
          long delay = random.nextInt(10) == 0 ? 2_000_000 : 100_000;
          after(delay, () -> PacketReader.read(ByteBuffer.wrap(bytes), other, there));
        }
        return true;
      }

      @Override
      public long nanos() {
        return now;
      }

      @Override
      public void after(long nanos, Runnable work) {
        events.add(new Event(now + nanos, number++, work));
      }
    };
  }

  void cut(boolean isCut) {
    cut = isCut;
  }

  long sent() {
    return sent;
  }

  void run(long millis) {
    long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!events.isEmpty() && events.peek().dueNanos <= end) {
      Event next = events.poll();
      now = next.dueNanos;
      next.work.run();
    }
    now = end;
  }
}
