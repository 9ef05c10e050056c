package org.cartostream.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.Access;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.TlsFolder;
import org.cartostream.topology.collectives.Channel;
import org.cartostream.topology.collectives.CollectiveSettings;
import org.cartostream.topology.collectives.Communicator;
import org.cartostream.topology.collectives.Directory;
import org.cartostream.topology.collectives.MemoryGroup;
import org.cartostream.topology.collectives.RabbitMqAccess;
import org.cartostream.topology.collectives.RabbitMqChannel;
import org.cartostream.topology.collectives.Roster;
import org.cartostream.topology.collectives.TcpChannel;
import org.cartostream.topology.collectives.TcpTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A matcher task's place in the group of all matcher tasks of its topology.
 *
 * <p>Owns the {@link Communicator} and what carries it.
 */
public final class Membership implements AutoCloseable {

  /** Where the groups of topologies are in ZooKeeper, below this by Storm's id of the topology. */
  public static final String FOLDER = Roster.GROUPS;

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

  /** A member whose process is gone is noticed after so long, if its connection does not tell. */
  private static final int SESSION_MILLIS = (int) TimeUnit.SECONDS.toMillis(10);

  private final AtomicReference<Communicator> communicator = new AtomicReference<>();
  private final AtomicReference<Roster> roster = new AtomicReference<>();
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Place place;
  private final CollectiveSettings settings;

  private Membership(Place place, TopologySettings topology) {
    this.place = place;
    this.settings = CollectiveSettings.defaults().withTimeoutMillis(patienceMillis(topology));
  }

  /**
   * Less than the time after which the dispatcher gives the reading up: a call that somebody is
   * missing in leads to {@code Mending}, and that takes time, too.
   */
  private static int patienceMillis(TopologySettings topology) {
    return (int) Math.min(3_600_000L, topology.readingTimeoutSeconds() * 750L);
  }

  /**
   * Joins, and waits until all have, unless that takes too long.
   *
   * @throws UncheckedIOException if what is to carry the calls cannot be had
   */
  static Membership of(Place place, ServiceSettings service) {
    Membership membership = new Membership(place, service.topology());
    try {
      membership.join(service.topology().carrier(), service.broker());
      return membership;
    } catch (IOException e) {
      membership.close();
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      membership.close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while joining the other tasks", e);
    }
  }

  private void join(Carrier carrier, BrokerSettings broker)
      throws IOException, InterruptedException {
    switch (carrier) {
      case MEMORY -> {
        MemoryGroup group = MemoryGroup.meet(place.topology(), place.matchers(), settings);
        closings.push(() -> MemoryGroup.part(place.topology()));
        open(group.channel(place.task()));
      }
      case TCP -> {
        TcpTransport transport = transport(broker);
        closings.push(transport::close);
        TcpChannel channel = tcp(transport);
        open(channel);
        enter(channel.address().getPort());
      }
      case RABBITMQ -> {
        open(
            new RabbitMqChannel(
                access(broker), place.topology(), place.task(), place.matchers(), settings));
        enter(0);
      }
    }
  }

  private static RabbitMqAccess access(BrokerSettings broker) {
    return new RabbitMqAccess(
        () -> Access.factory(broker), broker.reconnectMinMillis(), broker.reconnectMaxMillis());
  }

  /** With TLS where the broker is spoken to by TLS, and with the same certificates. */
  private static TcpTransport transport(BrokerSettings broker) throws IOException {
    Optional<TlsFolder> tls = TlsFolder.of(broker.tls());
    return tls.isEmpty()
        ? TcpTransport.plain(1)
        : TcpTransport.secured(1, tls.get().certificate(), tls.get().key(), tls.get().authority());
  }

  private TcpChannel tcp(TcpTransport transport) throws IOException {
    Directory directory =
        rank -> Optional.ofNullable(roster.get()).flatMap(all -> all.addressOf(rank));
    return new TcpChannel(
        transport,
        place.topology(),
        place.task(),
        place.matchers(),
        new InetSocketAddress(place.host(), 0),
        directory,
        settings);
  }

  private void open(Channel channel) {
    Communicator opened = Communicator.open(channel, settings);
    communicator.set(opened);
    closings.push(opened::close);
    DropMeters meters = new DropMeters(place.task(), opened);
    closings.push(meters::close);
  }

  /** Makes this task known, as one that may follow one that has died. */
  private void enter(int port) throws IOException, InterruptedException {
    Roster joined =
        Roster.join(
            place.zookeeper()::client,
            SESSION_MILLIS,
            place.topology(),
            place.matchers(),
            new Roster.Entry(place.task(), place.host(), port, Term.next(place)),
            (rank, why) -> communicator.get().lost(rank, why));
    roster.set(joined);
    closings.push(joined::close);
    if (!joined.awaitAll(settings.timeoutMillis())) {
      LOG.warn(
          "task {} goes on without tasks {}: they have not come within {} ms",
          place.task(),
          joined.missing(),
          settings.timeoutMillis());
    }
  }

  Communicator communicator() {
    return communicator.get();
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
