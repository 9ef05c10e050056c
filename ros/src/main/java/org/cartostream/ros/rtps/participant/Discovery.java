package org.cartostream.ros.rtps.participant;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.ParticipantData;
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
import org.cartostream.ros.rtps.wire.Submessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovery of the other participants of a domain and their endpoints (8.5.3 SPDP, 8.5.4 SEDP).
 * Participants that are silent for longer than their lease are dropped. Owns the descriptions of
 * the other participants, and the built-in endpoints of SPDP and SEDP.
 */
final class Discovery {

  /**
   * Receiver of other participants' and endpoints' arrivals and departures. Called while holding
   * the event loop's lock.
   */
  interface ChangeListener {
    void onParticipants(int others);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

  static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Time between two announcements, nanoseconds: three within a lease, and a returning participant
   * is found within 5 s.
   */
  private static final long ANNOUNCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Time between the first announcements, nanoseconds. */
  private static final long FIRST_ANNOUNCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  static final int MAX_PARTICIPANTS = 500;

  /** Maximum memory of all remote endpoints' descriptions, bytes: some 10,000 endpoints. */
  static final long MAX_ENDPOINT_BYTES = 16 << 20;

  /**
   * Maximum memory of descriptions that come out of order or incompletely, bytes; for writers and
   * for readers each.
   */
  static final long MAX_HELD_BYTES = 4 << 20;

  /** Maximum number of lost participants whose last addresses still get announcements. */
  private static final int MAX_LOST = 32;

  private static final TopicQos BUILTIN = new TopicQos(true, true, Integer.MAX_VALUE);

  private final EndpointContext context;
  private final UdpSockets sockets;
  private final DomainAccess access;
  private final ParticipantData self;
  private final String name;
  private final LocalEndpoints endpoints;
  private final ChangeListener changes;
  private final SampleWriter publications;
  private final SampleWriter subscriptions;
  private final SampleReader remotePublications;
  private final SampleReader remoteSubscriptions;
  private final Map<GuidPrefix, RemoteParticipant> participants = new LinkedHashMap<>();
  private final Set<InetSocketAddress> lost = new LinkedHashSet<>();

  /** Topics for which {@link #typesWritten} was called. */
  private final Set<String> wanted = new HashSet<>();

  private long announcements;

  Discovery(
      EndpointContext context,
      UdpSockets sockets,
      DomainAccess access,
      String name,
      FragmentPacer pacer,
      LocalEndpoints endpoints,
      ChangeListener changes) {
    this.context = context;
    this.sockets = sockets;
    this.access = access;
    this.name = name;
    this.endpoints = endpoints;
    this.changes = changes;
    self =
        new ParticipantData(
            new Guid(context.self(), EntityIds.PARTICIPANT),
            access.domain(),
            LEASE_NANOS,
            ParticipantData.ALL_BUILTINS,
            sockets.addresses(),
            sockets.addresses());
    publications = new SampleWriter(context, pacer, EntityIds.PUBLICATIONS_WRITER, BUILTIN.depth());
    subscriptions =
        new SampleWriter(context, pacer, EntityIds.SUBSCRIPTIONS_WRITER, BUILTIN.depth());
    remotePublications =
        new SampleReader(
            context,
            EntityIds.PUBLICATIONS_READER,
            BUILTIN.reliable(),
            BUILTIN.latched(),
            MAX_HELD_BYTES,
            sample -> onEndpoint(sample, true));
    remoteSubscriptions =
        new SampleReader(
            context,
            EntityIds.SUBSCRIPTIONS_READER,
            BUILTIN.reliable(),
            BUILTIN.latched(),
            MAX_HELD_BYTES,
            sample -> onEndpoint(sample, false));
  }

  void start() {
    announceAgain();
    watch();
  }

  /** Tells the others that this participant leaves. */
  void end() {
    PacketWriter packet =
        spdp(ParticipantData.end(self.guid()), true, ParticipantData.key(self.guid()));
    sockets.sendToAll(packet.bytes());
    participants.values().forEach(each -> context.send(packet, each.discoveryAddress()));
  }

  // --- this participant ------------------------------------------------------------------------

  private void announceAgain() {
    PacketWriter packet = announcement();
    sockets.sendToAll(packet.bytes());
    for (InetAddress peer : access.peers()) {
      for (int participant = 0; participant < UdpPorts.PARTICIPANTS; participant++) {
        context.send(
            packet, new InetSocketAddress(peer, UdpPorts.unicast(access.domain(), participant)));
      }
    }
    participants.values().forEach(each -> context.send(packet, each.discoveryAddress()));
    lost.forEach(each -> context.send(packet, each));
    long pause = Math.min(ANNOUNCE_NANOS, FIRST_ANNOUNCE_NANOS << Math.min(announcements++, 8));
    context.after(pause, this::announceAgain);
  }

  private PacketWriter announcement() {
    return spdp(new ParameterList(), false, self.payload(name));
  }

  private PacketWriter spdp(ParameterList inlineQos, boolean isKey, byte[] payload) {
    return new PacketWriter(context.self(), GuidPrefix.UNKNOWN)
        .add(
            new Submessage.Data(
                EntityIds.SPDP_READER,
                EntityIds.SPDP_WRITER,
                isKey ? 2 : 1,
                inlineQos,
                isKey,
                payload));
  }

  /** Tells the others of a writer, and matches it with their readers. */
  void add(LocalEndpoints.Local<SampleWriter> writer) {
    endpoints.add(writer);
    publications.write(
        EndpointData.payload(
            writer.endpoint().guid(), writer.topic(), writer.type(), writer.qos()));
    participants
        .values()
        .forEach(
            each ->
                List.copyOf(each.readers().values()).forEach(reader -> match(each, reader, false)));
  }

  /** Tells the others of a reader, and matches it with their writers. */
  void addReader(LocalEndpoints.Local<SampleReader> reader) {
    endpoints.addReader(reader);
    subscriptions.write(
        EndpointData.payload(
            reader.endpoint().guid(), reader.topic(), reader.type(), reader.qos()));
    participants
        .values()
        .forEach(
            each ->
                List.copyOf(each.writers().values()).forEach(writer -> match(each, writer, true)));
  }

  // --- the others ------------------------------------------------------------------------------

  /** Takes a submessage of another participant. */
  void on(PacketReader.Sender sender, Submessage submessage) {
    GuidPrefix prefix = sender.prefix();
    RemoteParticipant known = participants.get(prefix);
    if (known != null) {
      known.onHeard(context.nanos());
    }
    if (submessage instanceof Submessage.Data data && data.writerId() == EntityIds.SPDP_WRITER) {
      onParticipant(prefix, data);
    } else if (known != null) {
      remotePublications.on(prefix, submessage);
      remoteSubscriptions.on(prefix, submessage);
      if (submessage instanceof Submessage.AckNack answer) {
        writer(answer.writerId(), each -> each.on(prefix, answer));
      } else if (submessage instanceof Submessage.NackFrag answer) {
        writer(answer.writerId(), each -> each.on(prefix, answer));
      }
      endpoints.on(prefix, submessage);
    }
  }

  private void writer(int id, Consumer<SampleWriter> work) {
    if (id == EntityIds.PUBLICATIONS_WRITER) {
      work.accept(publications);
    } else if (id == EntityIds.SUBSCRIPTIONS_WRITER) {
      work.accept(subscriptions);
    }
  }

  private void onParticipant(GuidPrefix sender, Submessage.Data data) {
    Guid writer = new Guid(sender, data.writerId());
    Sample sample =
        new Sample(writer, data.number(), data.inlineQos(), data.isKey(), data.payload());
    if (sample.isEnd()) {
      remove(sender, "has left");
      return;
    }
    ParticipantData remote = ParticipantData.read(data.payload());
    boolean here = remote.domain() < 0 || remote.domain() == access.domain();
    if (!remote.guid().prefix().equals(sender) || !here || remote.discovery().isEmpty()) {
      return;
    }
    RemoteParticipant known = participants.get(sender);
    if (known != null && known.data().equals(remote)) {
      return;
    }
    remove(sender, "has other addresses");
    if (participants.size() >= MAX_PARTICIPANTS) {
      // The oldest: participants that share a topic have been matched since.
      participants.values().stream()
          .filter(RemoteParticipant::isStranger)
          .findFirst()
          .ifPresent(each -> remove(each.data().guid().prefix(), "is one stranger too many"));
    }
    if (participants.size() < MAX_PARTICIPANTS) {
      RemoteParticipant added =
          new RemoteParticipant(remote, nearest(remote.discovery()), context.nanos());
      participants.put(sender, added);
      lost.remove(added.discoveryAddress());
      LOG.debug("participant {} is there", added);
      context.send(announcement(), added.discoveryAddress());
      matchBuiltins(added);
      changes.onParticipants(participants.size());
    }
  }

  private void matchBuiltins(RemoteParticipant remote) {
    GuidPrefix prefix = remote.data().guid().prefix();
    InetSocketAddress at = remote.discoveryAddress();
    int has = remote.data().builtins();
    if ((has & ParticipantData.PUBLICATIONS_READER) != 0) {
      Guid reader = new Guid(prefix, EntityIds.PUBLICATIONS_READER);
      publications.match(new SampleWriter.Match(reader, at, true, true));
    }
    if ((has & ParticipantData.SUBSCRIPTIONS_READER) != 0) {
      Guid reader = new Guid(prefix, EntityIds.SUBSCRIPTIONS_READER);
      subscriptions.match(new SampleWriter.Match(reader, at, true, true));
    }
    if ((has & ParticipantData.PUBLICATIONS_WRITER) != 0) {
      Guid writer = new Guid(prefix, EntityIds.PUBLICATIONS_WRITER);
      remotePublications.match(new SampleReader.Match(writer, at, true, true));
    }
    if ((has & ParticipantData.SUBSCRIPTIONS_WRITER) != 0) {
      Guid writer = new Guid(prefix, EntityIds.SUBSCRIPTIONS_WRITER);
      remoteSubscriptions.match(new SampleReader.Match(writer, at, true, true));
    }
  }

  private void watch() {
    long now = context.nanos();
    List<RemoteParticipant> gone =
        participants.values().stream().filter(each -> each.isGone(now)).toList();
    for (RemoteParticipant each : gone) {
      remove(each.data().guid().prefix(), "is silent");
      lost.add(each.discoveryAddress());
      if (lost.size() > MAX_LOST) {
        lost.remove(lost.iterator().next());
      }
    }
    context.after(WATCH_NANOS, this::watch);
  }

  private void remove(GuidPrefix prefix, String why) {
    RemoteParticipant remote = participants.remove(prefix);
    if (remote == null) {
      return;
    }
    LOG.debug("participant {} {}", remote, why);
    publications.unmatch(new Guid(prefix, EntityIds.PUBLICATIONS_READER));
    subscriptions.unmatch(new Guid(prefix, EntityIds.SUBSCRIPTIONS_READER));
    remotePublications.unmatch(new Guid(prefix, EntityIds.PUBLICATIONS_WRITER));
    remoteSubscriptions.unmatch(new Guid(prefix, EntityIds.SUBSCRIPTIONS_WRITER));
    List<Guid> theirs = new ArrayList<>(remote.writers().keySet());
    theirs.addAll(remote.readers().keySet());
    theirs.forEach(endpoints::unmatch);
    changes.onParticipants(participants.size());
  }

  private void onEndpoint(Sample sample, boolean isWriter) {
    GuidPrefix prefix = sample.writer().prefix();
    RemoteParticipant remote = participants.get(prefix);
    if (remote == null) {
      return;
    }
    if (sample.isEnd()) {
      Guid gone = EndpointData.guid(sample);
      if (remote.remove(gone, isWriter)) {
        endpoints.unmatch(gone);
      }
      return;
    }
    EndpointData data = EndpointData.read(sample.payload());
    if (data.guid().prefix().equals(prefix) && hasRoom(remote, data.bytes())) {
      remote.put(data, isWriter);
      match(remote, data, isWriter);
    }
  }

  /**
   * Makes room for a description by removing the unmatched participants with the largest
   * descriptions; false if {@code remote} was removed or there is no room.
   */
  private boolean hasRoom(RemoteParticipant remote, long bytes) {
    while (endpointBytes() + bytes > MAX_ENDPOINT_BYTES) {
      Optional<RemoteParticipant> max =
          participants.values().stream()
              .filter(each -> each.isStranger() && each.bytes() > 0)
              .max(Comparator.comparingLong(RemoteParticipant::bytes));
      if (max.isEmpty()) {
        return false;
      }
      remove(max.get().data().guid().prefix(), "is a stranger and has said too much");
      if (max.get() == remote) {
        return false;
      }
    }
    return true;
  }

  long endpointBytes() {
    return participants.values().stream().mapToLong(RemoteParticipant::bytes).sum();
  }

  /** Returns the memory of descriptions that are incomplete or out of order, bytes. */
  long heldBytes() {
    return remotePublications.heldBytes() + remoteSubscriptions.heldBytes();
  }

  int participants() {
    return participants.size();
  }

  private void match(RemoteParticipant remote, EndpointData data, boolean isWriter) {
    InetSocketAddress address = address(data, remote);
    boolean isMatched =
        isWriter ? endpoints.matchWriter(data, address) : endpoints.matchReader(data, address);
    if (isMatched || (isWriter && isWanted(data))) {
      remote.onMatch();
    }
  }

  /**
   * Returns the DDS names of the types under which others write the topic. From now on such
   * participants count as matched, because a reader may be added much later.
   */
  Set<String> typesWritten(String topic) {
    wanted.add(topic);
    Set<String> types = new TreeSet<>();
    for (RemoteParticipant each : participants.values()) {
      for (EndpointData writer : each.writers().values()) {
        if (isWanted(writer)) {
          each.onMatch();
        }
        if (writer.topic().equals(topic)) {
          types.add(writer.type());
        }
      }
    }
    return types;
  }

  private boolean isWanted(EndpointData writer) {
    return wanted.contains(writer.topic());
  }

  private InetSocketAddress address(EndpointData data, RemoteParticipant remote) {
    List<InetSocketAddress> all =
        data.addresses().isEmpty() ? remote.data().user() : data.addresses();
    return all.isEmpty() ? remote.discoveryAddress() : nearest(all);
  }

  /** Returns the address with the longest beginning in common with an address of this computer. */
  private InetSocketAddress nearest(List<InetSocketAddress> addresses) {
    return addresses.stream().max(Comparator.comparingInt(this::commonBits)).orElseThrow();
  }

  private int commonBits(InetSocketAddress address) {
    int theirs = bits(address.getAddress());
    return access.interfaces().stream()
        .mapToInt(each -> Integer.numberOfLeadingZeros(theirs ^ bits(each)))
        .max()
        .orElse(0);
  }

  private static int bits(InetAddress address) {
    return ByteBuffer.wrap(address.getAddress()).getInt();
  }

  /** Describes the owner of an endpoint, for people. */
  String owner(EndpointData endpoint) {
    RemoteParticipant remote = participants.get(endpoint.guid().prefix());
    return remote == null ? "a participant" : "the participant at " + remote;
  }
}
