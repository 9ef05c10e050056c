package org.cartostream.broker.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.QueueArguments;
import org.cartostream.settings.Settings;

/**
 * A broker in this process, without a server: the exchanges and queues of {@link BrokerNames}, for
 * tests that only want a connection. Its connections are the same {@link ReconnectingConnection} as
 * to a real broker, so encoding, refusals, outbox and reconnecting are the real ones; only the
 * {@link BrokerLink} beneath is another. {@code BrokerContract} holds it to what the real brokers
 * do.
 *
 * <p>It is running, or {@linkplain #stop stopped} until it is started again. Its queues stay
 * meanwhile; of the messages only those that must arrive do, as with RabbitMQ.
 *
 * <p>Owns the queues, their bindings and the links. Its lock guards these and what is in them.
 */
public final class InMemoryBroker {

  private static final BrokerAddress ADDRESS = BrokerAddress.of("amqp://in-memory:5672", Map.of());

  /** Routes to a queue what an exchange gets under a key; the last word may be {@code *}. */
  private record Binding(String exchange, String pattern, String queue) {

    boolean matches(InMemoryQueue.Message message) {
      String key = message.routingKey();
      String anyWord = key.substring(0, key.lastIndexOf('.') + 1) + "*";
      return exchange.equals(message.exchange())
          && (pattern.equals(key) || pattern.equals(anyWord));
    }
  }

  private final Map<String, InMemoryQueue> queues = new HashMap<>();
  private final Set<Binding> bindings = new LinkedHashSet<>();
  private final Set<InMemoryLink> links = new LinkedHashSet<>();
  private final Set<String> cutOff = new HashSet<>();
  private boolean stopped;

  /** The defaults, but that a connection opens itself again after milliseconds. */
  public static BrokerSettings settings() {
    return Settings.with(
        BrokerSettings.defaults(), Map.of("minReconnectMillis", "1", "maxReconnectMillis", "10"));
  }

  /** As it appears in messages. */
  public static String address() {
    return ADDRESS.hostAndPort();
  }

  /** Opens a connection with {@link #settings}. */
  public BrokerConnection open(String party, BrokerListener listener) {
    return open(settings(), party, listener);
  }

  /**
   * Opens a connection.
   *
   * @param settings their address is not used
   * @throws BrokerException if it is stopped, or the party cut off
   */
  public BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener) {
    return new ReconnectingConnection(
        ADDRESS,
        settings,
        party,
        listener,
        (deliveries, outbox) ->
            connect(new InMemoryLink(this, party, deliveries, outbox), settings.service()));
  }

  private synchronized InMemoryLink connect(InMemoryLink link, String service) {
    if (stopped) {
      throw ConnectionErrors.of(ADDRESS, new ConnectException("it is stopped"));
    }
    if (cutOff.contains(link.party())) {
      throw ConnectionErrors.of(ADDRESS, new IOException("cut off"));
    }
    links.add(link);
    String queue = BrokerNames.serviceQueue(service);
    declare(queue, BrokerNames.SERVICE_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW);
    bind(BrokerNames.READINGS, BrokerNames.everyRobotOf(service), queue);
    return link;
  }

  // --- what a test does to it --------------------------------------------------------------------

  /** Breaks all connections, and takes none until {@link #start}. */
  public synchronized void stop() {
    stopped = true;
    List.copyOf(links).forEach(link -> disconnect(link, "the broker was stopped"));
    queues.values().forEach(InMemoryQueue::dropWhatNeedNotArrive);
  }

  public synchronized void start() {
    stopped = false;
  }

  /** Breaks the connections of a party; it may open them again at once. */
  public synchronized void cut(String party) {
    List.copyOf(links).stream()
        .filter(link -> link.party().equals(party))
        .forEach(link -> disconnect(link, "the wire was cut"));
  }

  /** Breaks the connections of a party, and it gets none until {@link #mend}. */
  public synchronized void takeDown(String party) {
    cutOff.add(party);
    cut(party);
  }

  public synchronized void mend(String party) {
    cutOff.remove(party);
  }

  /** Publishes whatever bytes, as a stranger may. */
  public void publish(String exchange, String routingKey, byte[] frame) {
    publish(new InMemoryQueue.Message(exchange, routingKey, frame, true));
  }

  /** How many messages wait in a queue that nobody has been given. */
  public synchronized int ready(String queue) {
    return queues.get(queue).ready();
  }

  /** Waits until a party's receivers have dealt with all that they were given until now. */
  public void awaitDeliveries(String party) throws InterruptedException {
    List<InMemoryLink> these;
    synchronized (this) {
      these = links.stream().filter(link -> link.party().equals(party)).toList();
    }
    for (InMemoryLink link : these) {
      link.awaitDeliveries();
    }
  }

  // --- what its links do ------------------------------------------------------------------------

  /** False if a queue refuses the message. What no queue is bound to is dropped. */
  synchronized boolean publish(InMemoryQueue.Message message) {
    boolean taken = true;
    for (Binding binding : bindings) {
      if (binding.matches(message)) {
        taken &= queues.get(binding.queue()).offer(message);
      }
    }
    return taken;
  }

  /** Declares a queue, unless it is there. */
  synchronized void declare(String queue, int length, QueueArguments.Overflow overflow) {
    queues.computeIfAbsent(queue, absent -> new InMemoryQueue(this, length, overflow));
  }

  synchronized void bind(String exchange, String pattern, String queue) {
    bindings.add(new Binding(exchange, pattern, queue));
  }

  /** The queue of a name, or null. */
  synchronized InMemoryQueue queue(String name) {
    return queues.get(name);
  }

  /** Deletes a queue if it is there, and breaks the links that still take from it. */
  synchronized void delete(String name) {
    InMemoryQueue queue = queues.remove(name);
    bindings.removeIf(binding -> binding.queue().equals(name));
    if (queue != null) {
      queue.consumers().forEach(link -> disconnect(link, "the broker ended a subscription"));
    }
  }

  /** Ends a link; what it has not acknowledged goes to the next that subscribes. */
  synchronized void disconnect(InMemoryLink link, String why) {
    link.breakWith(why);
    links.remove(link);
    new ArrayList<>(queues.values()).forEach(queue -> queue.release(link));
  }
}
