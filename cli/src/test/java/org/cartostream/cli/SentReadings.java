package org.cartostream.cli;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.slam.sensor.Reading;

/**
 * The readings that gateways send to one service, as they cross the broker: a queue of its own
 * beside the service's. Thread-safe.
 */
public final class SentReadings implements AutoCloseable {

  private final Codec codec = new Codec(BrokerSettings.defaults().maxMessageBytes());
  private final NavigableMap<Long, Reading> bySequence = new TreeMap<>();
  private final Set<Long> runs = new TreeSet<>();
  private final List<Long> changed = new ArrayList<>();
  private final Connection connection;

  private SentReadings(Connection connection) {
    this.connection = connection;
  }

  /** Listens from now on, at a broker that has one queue for the readings of all robots. */
  public static SentReadings listen(String broker, String service) throws Exception {
    SentReadings sent = new SentReadings(connect(broker));
    Channel channel = sent.connection.createChannel();
    channel.exchangeDeclare(BrokerNames.READINGS, "topic", true);
    sent.listen(channel, BrokerNames.READINGS, BrokerNames.everyRobotOf(service));
    return sent;
  }

  /**
   * Listens to all services of RabbitMQ from now on, by its tracer: a queue bound to the exchange
   * would take the first readings of a robot, which go on where no queue is bound for them.
   */
  public static SentReadings trace(LocalRabbitMq broker) throws Exception {
    broker.control("trace_on");
    SentReadings sent = new SentReadings(connect(broker.uri()));
    sent.listen(
        sent.connection.createChannel(), "amq.rabbitmq.trace", "publish." + BrokerNames.READINGS);
    return sent;
  }

  private static Connection connect(String broker) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker);
    return factory.newConnection();
  }

  private void listen(Channel channel, String exchange, String key) throws IOException {
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, exchange, key);
    channel.basicConsume(queue, true, (tag, delivery) -> take(delivery.getBody()), tag -> {});
  }

  private synchronized void take(byte[] body) {
    Envelope envelope = codec.decode(body);
    runs.add(envelope.run());
    if (envelope.body() instanceof ReadingMessage message) {
      Reading before = bySequence.putIfAbsent(envelope.sequence(), message.reading());
      if (before != null && !same(before, message.reading())) {
        changed.add(envelope.sequence());
      }
    }
  }

  private boolean same(Reading one, Reading other) {
    return Arrays.equals(bytes(one), bytes(other));
  }

  private byte[] bytes(Reading reading) {
    return codec.encode(new Envelope("r", 1, 1, reading.stampNanos(), new ReadingMessage(reading)));
  }

  /** All by their number, each once. */
  public synchronized NavigableMap<Long, Reading> all() {
    return new TreeMap<>(bySequence);
  }

  /** How many runs there were. */
  public synchronized int runs() {
    return runs.size();
  }

  /** Numbers under which two different readings were sent. */
  public synchronized List<Long> changed() {
    return List.copyOf(changed);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
