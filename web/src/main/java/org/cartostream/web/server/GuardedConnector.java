package org.cartostream.web.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Jetty connector that limits connections. A connection begins as a stranger, and is admitted by
 * its first request that {@link AccessRules} allow: then it has a place that no stranger can take.
 * A stranger is closed when too many newer ones have come from its address, when there are too many
 * in all and its address has most of them, or when it is not admitted in time: so slow strangers
 * keep nobody out. Owns the sets of strangers and of admitted connections; thread-safe.
 */
final class GuardedConnector extends ServerConnector {

  /**
   * Maximum number of strangers from one address: a browser opens up to seven connections, and
   * several browsers may share an address.
   */
  static final int MAX_STRANGERS_OF_ADDRESS = 32;

  static final int MAX_STRANGERS = 128;

  /**
   * Time in which a stranger must be admitted: for the TLS handshake and the headers of an allowed
   * request.
   */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long WATCH_MILLIS = 500;

  /**
   * Bytes of an IPv6 address that name its network: whoever has one address of a network has all of
   * them.
   */
  private static final int NETWORK_BYTES = 8;

  /**
   * Connection that is not admitted yet.
   *
   * @param address IPv4 address, or the first half of an IPv6 address
   */
  private record Stranger(ByteBuffer address, long sinceNanos) {}

  private final int maxAdmitted;

  /** Connections that are not admitted yet, oldest first. */
  private final Map<EndPoint, Stranger> strangers = new LinkedHashMap<>();

  private final Set<EndPoint> admitted = new HashSet<>();
  private long turnedAway;

  GuardedConnector(Server server, int maxAdmitted, ConnectionFactory... factories) {
    super(server, 1, 1, factories);
    this.maxAdmitted = maxAdmitted;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    watch();
  }

  private void watch() {
    if (getScheduler().isRunning()) {
      long now = System.nanoTime();
      turnAway(each -> now - each.sinceNanos > PATIENCE.toNanos(), 0);
      getScheduler().schedule(this::watch, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  protected void onEndPointOpened(EndPoint opened) {
    super.onEndPointOpened(opened);
    ByteBuffer address =
        address(((InetSocketAddress) opened.getRemoteSocketAddress()).getAddress());
    synchronized (this) {
      strangers.put(opened, new Stranger(address, System.nanoTime()));
    }
    turnAway(each -> each.address.equals(address), MAX_STRANGERS_OF_ADDRESS);
    turnAwayOfMost();
  }

  /**
   * Returns the bytes that identify a computer: an IPv4 address, or the network of an IPv6 address.
   */
  static ByteBuffer address(InetAddress address) {
    byte[] all = address.getAddress();
    return ByteBuffer.wrap(all.length > NETWORK_BYTES ? Arrays.copyOf(all, NETWORK_BYTES) : all);
  }

  /**
   * Closes the oldest stranger of the address that has most, if there are too many strangers in
   * all.
   */
  private void turnAwayOfMost() {
    Map<ByteBuffer, Integer> counts = new LinkedHashMap<>();
    synchronized (this) {
      if (strangers.size() <= MAX_STRANGERS) {
        return;
      }
      strangers.values().forEach(each -> counts.merge(each.address, 1, Integer::sum));
    }
    counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .ifPresent(max -> turnAway(each -> each.address.equals(max.getKey()), max.getValue() - 1));
  }

  /** Closes the oldest of certain strangers, until at most {@code max} of these are left. */
  private void turnAway(Predicate<Stranger> which, int max) {
    List<EndPoint> closed;
    synchronized (this) {
      List<EndPoint> all =
          strangers.entrySet().stream()
              .filter(each -> which.test(each.getValue()))
              .map(Map.Entry::getKey)
              .toList();
      closed = all.subList(0, Math.max(0, all.size() - max));
      closed.forEach(strangers::remove);
      turnedAway += closed.size();
    }
    closed.forEach(EndPoint::close); // Without the lock, as it calls onEndPointClosed.
  }

  @Override
  protected synchronized void onEndPointClosed(EndPoint closed) {
    super.onEndPointClosed(closed);
    strangers.remove(closed);
    admitted.remove(closed);
  }

  /** Admits the connection of an allowed request; returns false if there is no place. */
  synchronized boolean admit(Request request) {
    EndPoint asking = request.getConnectionMetaData().getConnection().getEndPoint();
    while (asking instanceof EndPoint.Wrapper wrapper) { // TLS wraps the connection.
      asking = wrapper.unwrap();
    }
    if (admitted.contains(asking)) {
      return true;
    }
    boolean hasPlace = admitted.size() < maxAdmitted && strangers.remove(asking) != null;
    return hasPlace && admitted.add(asking);
  }

  /** Returns the number of strangers that were closed. */
  synchronized long turnedAway() {
    return turnedAway;
  }
}
