package org.cartostream.ros.rtps.participant;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.endpoint.EndpointContext;
import org.cartostream.ros.rtps.endpoint.FragmentPacer;
import org.cartostream.ros.rtps.endpoint.Sample;
import org.cartostream.ros.rtps.endpoint.SampleReader;
import org.cartostream.ros.rtps.endpoint.SampleWriter;
import org.cartostream.ros.rtps.wire.EntityIds;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketReader;
import org.cartostream.ros.rtps.wire.PacketWriter;
import org.cartostream.ros.rtps.wire.ParameterList;

/**
 * A participant of a DDS domain (8.2): writes and reads topics, and discovers the other
 * participants that share them. Thread-safe.
 *
 * <p>Owns its sockets, its thread and its endpoints.
 */
public final class Participant implements AutoCloseable {

  private static final long READER_PATIENCE_NANOS = Discovery.LEASE_NANOS;
  private static final long READER_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * Size of all replies that wait for readers, bytes, above which further replies are written
   * without waiting.
   */
  private static final long MAX_WAITING_BYTES = 1 << 25;

  /**
   * Maximum memory of a topic's samples that cannot be delivered yet, bytes: two of the largest
   * samples.
   */
  private static final long MAX_HELD_BYTES = 1 << 27;

  private final GuidPrefix self;
  private final UdpSockets sockets;
  private final EventLoop loop;
  private final Context context = new Context();
  private final FragmentPacer pacer = new FragmentPacer(context);
  private final LocalEndpoints endpoints;
  private final Discovery discovery;
  private final AtomicInteger lastKey = new AtomicInteger();

  /** Size of the waiting replies, bytes; guarded by the event loop's lock. */
  private long waitingBytes;

  private Participant(DomainAccess access, String name, ParticipantListener listener) {
    SecureRandom random = new SecureRandom();
    // The first two bytes, the vendor id, are 0, which no vendor has (9.3.1.5).
    self = new GuidPrefix(random.nextLong() >>> Short.SIZE, random.nextInt());
    sockets = new UdpSockets(access);
    loop = new EventLoop("rtps-" + name, sockets, this::receive);
    endpoints =
        new LocalEndpoints(
            (remote, why) -> {
              String who = owner(remote);
              loop.deliver(() -> listener.onMismatch(remote.topic(), who, why));
            });
    discovery =
        new Discovery(
            context,
            sockets,
            access,
            name,
            pacer,
            endpoints,
            others -> loop.deliver(() -> listener.onParticipants(others)));
  }

  /**
   * Joins a domain.
   *
   * @param name for people
   * @throws org.cartostream.ros.RosException if it cannot be joined
   */
  public static Participant join(DomainAccess access, String name, ParticipantListener listener) {
    UdpPorts.check(access.domain());
    Participant participant = new Participant(access, name, listener);
    participant.loop.locked(participant.discovery::start);
    participant.loop.start();
    return participant;
  }

  public Guid guid() {
    return new Guid(self, EntityIds.PARTICIPANT);
  }

  private String owner(EndpointData remote) {
    return discovery.owner(remote);
  }

  private void receive(ByteBuffer packet) {
    PacketReader.read(packet, self, discovery::on);
  }

  /** A topic that this participant writes. */
  public interface Writer {

    Guid guid();

    /**
     * Writes a sample.
     *
     * @param payload with its encapsulation header
     */
    void write(ParameterList inlineQos, byte[] payload);

    /**
     * Writes a reply as soon as a reader of this participant is matched, which may be after the
     * request has come. After a lease without such a reader the reply is written all the same.
     *
     * @param payload with its encapsulation header
     */
    void writeFor(GuidPrefix participant, ParameterList inlineQos, byte[] payload);

    /** Returns the number of matched readers. */
    int readers();
  }

  /**
   * Writes a topic.
   *
   * @param topic DDS name of the topic
   * @param type DDS name of the type
   * @param readers false for remote readers that are not to be matched
   */
  public Writer write(String topic, String type, TopicQos qos, Predicate<EndpointData> readers) {
    SampleWriter writer =
        new SampleWriter(context, pacer, EntityIds.writer(lastKey.incrementAndGet()), qos.depth());
    loop.locked(() -> discovery.add(new LocalEndpoints.Local<>(topic, type, qos, readers, writer)));
    return new Writer() {
      @Override
      public Guid guid() {
        return writer.guid();
      }

      @Override
      public void write(ParameterList inlineQos, byte[] payload) {
        loop.locked(() -> writer.write(inlineQos, false, payload));
      }

      @Override
      public void writeFor(GuidPrefix participant, ParameterList inlineQos, byte[] payload) {
        loop.locked(
            () -> {
              boolean isFull = waitingBytes > MAX_WAITING_BYTES;
              waitingBytes += payload.length;
              long latest = System.nanoTime() + (isFull ? 0 : READER_PATIENCE_NANOS);
              whenRead(writer, participant, latest, inlineQos, payload);
            });
      }

      @Override
      public int readers() {
        return locked(writer::matches);
      }
    };
  }

  private void whenRead(
      SampleWriter writer,
      GuidPrefix participant,
      long latest,
      ParameterList inlineQos,
      byte[] payload) {
    if (writer.isReadBy(participant) || System.nanoTime() - latest >= 0) {
      waitingBytes -= payload.length;
      writer.write(inlineQos, false, payload);
    } else {
      loop.after(
          READER_POLL_NANOS, () -> whenRead(writer, participant, latest, inlineQos, payload));
    }
  }

  /**
   * Reads a topic.
   *
   * @param topic DDS name of the topic
   * @param type DDS name of the type
   * @param samples called by this participant's thread
   * @return the reader
   */
  public Guid read(String topic, String type, TopicQos qos, Consumer<Sample> samples) {
    SampleReader reader =
        new SampleReader(
            context,
            EntityIds.reader(lastKey.incrementAndGet()),
            qos.reliable(),
            qos.latched(),
            MAX_HELD_BYTES,
            sample -> {
              if (!sample.isEnd() && sample.payload().length > 0) {
                loop.deliver(() -> samples.accept(sample));
              }
            });
    loop.locked(
        () ->
            discovery.addReader(new LocalEndpoints.Local<>(topic, type, qos, any -> true, reader)));
    return reader.guid();
  }

  /** Returns the DDS names of the types under which others write a topic, given by its DDS name. */
  public Set<String> typesWritten(String topic) {
    return locked(() -> discovery.typesWritten(topic));
  }

  private <T> T locked(Supplier<T> work) {
    AtomicReference<T> result = new AtomicReference<>();
    loop.locked(() -> result.set(work.get()));
    return result.get();
  }

  /** Announces the end of this participant, and leaves the domain. */
  @Override
  public void close() {
    loop.locked(discovery::end);
    loop.close();
  }

  /** The endpoints' access to this participant. */
  private final class Context implements EndpointContext {

    @Override
    public GuidPrefix self() {
      return self;
    }

    @Override
    public boolean send(PacketWriter packet, InetSocketAddress to) {
      return sockets.send(packet.bytes(), to);
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void after(long nanos, Runnable work) {
      loop.after(nanos, work);
    }
  }
}
