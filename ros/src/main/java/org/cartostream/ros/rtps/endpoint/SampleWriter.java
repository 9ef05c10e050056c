package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.NumberSet;
import org.cartostream.ros.rtps.wire.PacketWriter;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.Submessage.AckNack;
import org.cartostream.ros.rtps.wire.Submessage.Data;
import org.cartostream.ros.rtps.wire.Submessage.Gap;
import org.cartostream.ros.rtps.wire.Submessage.Heartbeat;
import org.cartostream.ros.rtps.wire.Submessage.NackFrag;

/**
 * A writer of one topic (8.4.7, 8.4.9.2). Owns its newest samples, and the state of each matched
 * reader. Sends heartbeats to reliable readers until they have acknowledged all samples.
 */
public final class SampleWriter {

  /**
   * A reader to write to.
   *
   * @param wantsHistory true if the reader gets samples that were written earlier, too
   */
  public record Match(
      Guid reader, InetSocketAddress address, boolean reliable, boolean wantsHistory) {}

  /** Time between two heartbeats to readers that have not acknowledged all samples, nanoseconds. */
  private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Number of unanswered heartbeats after which only every tenth is sent. */
  private static final int PATIENT_BEATS = 20;

  private static final int SLOWER = 10;

  private final EndpointContext context;
  private final FragmentPacer pacer;
  private final int id;
  private final int depth;
  private final TreeMap<Long, Sample> history = new TreeMap<>();
  private final Map<Guid, ReaderProxy> readers = new HashMap<>();
  private long last;
  private int beats;
  private boolean beating;

  /**
   * @param depth number of newest samples that are kept, for readers that have lost some or come
   *     later
   */
  public SampleWriter(EndpointContext context, FragmentPacer pacer, int id, int depth) {
    this.context = context;
    this.pacer = pacer;
    this.id = id;
    this.depth = depth;
  }

  public Guid guid() {
    return new Guid(context.self(), id);
  }

  public int matches() {
    return readers.size();
  }

  /** True if a reader of this participant is matched. */
  public boolean isReadBy(GuidPrefix participant) {
    return readers.keySet().stream().anyMatch(each -> each.prefix().equals(participant));
  }

  /** Writes to a reader from now on, unless it is matched already. */
  public void match(Match match) {
    if (readers.containsKey(match.reader())) {
      return;
    }
    ReaderProxy reader = new ReaderProxy(match, match.wantsHistory() ? first() : last + 1);
    readers.put(match.reader(), reader);
    if (match.reliable()) {
      beat(reader, false);
      beatLater();
    }
  }

  public void unmatch(Guid reader) {
    ReaderProxy proxy = readers.remove(reader);
    if (proxy != null) {
      proxy.transmissions().values().forEach(pacer::drop);
    }
  }

  /** Writes a sample. */
  public void write(byte[] payload) {
    write(new ParameterList(), false, payload);
  }

  /**
   * Writes a sample.
   *
   * @param isKey true if the payload is only the key of what the sample is about
   */
  public void write(ParameterList inlineQos, boolean isKey, byte[] payload) {
    Sample sample = new Sample(guid(), ++last, inlineQos, isKey, payload);
    history.put(last, sample);
    while (history.size() > depth) {
      long gone = history.pollFirstEntry().getKey();
      for (ReaderProxy reader : readers.values()) {
        Transmission transmission = reader.transmissions().remove(gone);
        if (transmission != null) {
          pacer.drop(transmission);
        }
      }
    }
    readers.values().forEach(reader -> send(sample, reader));
    beatLater();
  }

  private long first() {
    return history.isEmpty() ? last + 1 : history.firstKey();
  }

  private void send(Sample sample, ReaderProxy reader) {
    if (sample.payload().length > Transmission.FRAGMENT_BYTES && !sample.isKey()) {
      Transmission transmission = transmission(sample, reader);
      if (transmission.isDone()) {
        transmission.addAll();
        pacer.add(transmission);
      }
      return;
    }
    PacketWriter packet =
        packet(reader)
            .add(
                new Data(
                    reader.guid().entity(),
                    id,
                    sample.number(),
                    sample.inlineQos(),
                    sample.isKey(),
                    sample.payload()));
    if (reader.isReliable()) {
      packet.add(heartbeat(reader, false));
    }
    context.send(packet, reader.address());
  }

  private Transmission transmission(Sample sample, ReaderProxy reader) {
    return reader
        .transmissions()
        .computeIfAbsent(
            sample.number(),
            each ->
                new Transmission(
                    reader,
                    sample,
                    () -> {
                      if (reader.isReliable()) {
                        beat(reader, false);
                      } else {
                        reader.transmissions().remove(sample.number());
                      }
                    }));
  }

  private PacketWriter packet(ReaderProxy reader) {
    return new PacketWriter(context.self(), reader.guid().prefix());
  }

  // --- heartbeats ------------------------------------------------------------------------------

  private Heartbeat heartbeat(ReaderProxy reader, boolean isFinal) {
    return new Heartbeat(reader.guid().entity(), id, first(), last, ++beats, isFinal);
  }

  private void beat(ReaderProxy reader, boolean isFinal) {
    context.send(packet(reader).add(heartbeat(reader, isFinal)), reader.address());
  }

  private void beatLater() {
    if (!beating && readers.values().stream().anyMatch(this::isBehind)) {
      beating = true;
      context.after(
          BEAT_NANOS,
          () -> {
            beating = false;
            readers.values().stream().filter(this::isBehind).forEach(this::beatIfDue);
            beatLater();
          });
    }
  }

  private boolean isBehind(ReaderProxy reader) {
    return reader.isReliable() && reader.acknowledged() < last;
  }

  private void beatIfDue(ReaderProxy reader) {
    int silent = reader.beat();
    if (silent < PATIENT_BEATS || silent % SLOWER == 0) {
      beat(reader, false);
    }
  }

  // --- answers ---------------------------------------------------------------------------------

  /** Takes the acknowledgement of a reader, and sends missing samples again. */
  public void on(GuidPrefix sender, AckNack answer) {
    ReaderProxy reader = readers.get(new Guid(sender, answer.readerId()));
    if (reader == null || !reader.onAckNack(answer.count(), answer.missing().base())) {
      return;
    }
    Map<Long, Transmission> received = reader.transmissions().headMap(reader.acknowledged(), true);
    received.values().forEach(pacer::drop);
    received.clear();
    long relevant = Math.max(first(), reader.firstRelevant());
    boolean gone = false;
    for (long number : answer.missing().numbers()) {
      Sample sample = history.get(number);
      if (number < relevant) {
        gone = true;
      } else if (sample != null) {
        send(sample, reader);
      }
    }
    if (gone) {
      NumberSet none = new NumberSet(relevant, List.of());
      Gap gap = new Gap(reader.guid().entity(), id, Math.max(1, answer.missing().base()), none);
      context.send(packet(reader).add(gap), reader.address());
    }
    if (answer.missing().numbers().isEmpty() && !answer.isFinal()) {
      beat(reader, !isBehind(reader));
    }
    beatLater();
  }

  /** Sends fragments again that a reader lacks. */
  public void on(GuidPrefix sender, NackFrag answer) {
    ReaderProxy reader = readers.get(new Guid(sender, answer.readerId()));
    Sample sample = history.get(answer.number());
    if (reader == null || sample == null || !reader.onNackFrag(answer.count())) {
      return;
    }
    Transmission transmission = transmission(sample, reader);
    answer.missing().numbers().forEach(transmission::add);
    if (!transmission.isDone()) {
      pacer.add(transmission);
    }
  }
}
