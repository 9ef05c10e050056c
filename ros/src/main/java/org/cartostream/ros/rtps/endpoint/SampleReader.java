package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.cartostream.ros.rtps.wire.EntityIds;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.Submessage;

/**
 * A reader of one topic (8.4.9, 8.4.11). Owns the state of each matched writer; ignores samples of
 * other writers.
 */
public final class SampleReader {

  /**
   * A writer to read from.
   *
   * @param address address to which acknowledgements are sent
   * @param keepsHistory true if it keeps samples for readers that come later (transient local)
   */
  public record Match(
      Guid writer, InetSocketAddress address, boolean reliable, boolean keepsHistory) {}

  private final EndpointContext context;
  private final int id;
  private final boolean reliable;
  private final boolean wantsHistory;
  private final Consumer<Sample> samples;
  private final HeldBytes held;
  private final Map<Guid, WriterProxy> writers = new HashMap<>();

  /**
   * @param reliable false if lost samples need not be sent again
   * @param wantsHistory true to receive samples that were written earlier, too
   * @param maxHeldBytes maximum memory, bytes, of samples that cannot be delivered yet
   * @param samples receives the samples; those of a writer in order
   */
  public SampleReader(
      EndpointContext context,
      int id,
      boolean reliable,
      boolean wantsHistory,
      long maxHeldBytes,
      Consumer<Sample> samples) {
    this.context = context;
    this.id = id;
    this.reliable = reliable;
    this.wantsHistory = wantsHistory;
    this.samples = samples;
    held = new HeldBytes(maxHeldBytes);
  }

  public Guid guid() {
    return new Guid(context.self(), id);
  }

  /** Reads from a writer from now on, unless it is matched already. */
  public void match(Match match) {
    boolean both = reliable && match.reliable();
    boolean takesAll = wantsHistory || !match.keepsHistory();
    writers.computeIfAbsent(
        match.writer(), each -> new WriterProxy(context, id, match, both, takesAll, held, samples));
  }

  public void unmatch(Guid writer) {
    WriterProxy proxy = writers.remove(writer);
    if (proxy != null) {
      proxy.close();
    }
  }

  /** Returns the memory of samples that cannot be delivered yet, bytes. */
  public long heldBytes() {
    return held.held();
  }

  /** Takes a submessage of a writer, if it is for this reader. */
  public void on(GuidPrefix sender, Submessage submessage) {
    WriterProxy writer = writers.get(new Guid(sender, submessage.writerId()));
    boolean forThis = submessage.readerId() == id || submessage.readerId() == EntityIds.UNKNOWN;
    if (writer == null || !forThis) {
      return;
    }
    if (submessage instanceof Submessage.Data data) {
      writer.onData(data);
    } else if (submessage instanceof Submessage.DataFrag fragments) {
      writer.onDataFrag(fragments);
    } else if (submessage instanceof Submessage.Heartbeat heartbeat) {
      writer.onHeartbeat(heartbeat);
    } else if (submessage instanceof Submessage.HeartbeatFrag heartbeat) {
      writer.onHeartbeatFrag(heartbeat);
    } else if (submessage instanceof Submessage.Gap gap) {
      writer.onGap(gap);
    }
  }
}
