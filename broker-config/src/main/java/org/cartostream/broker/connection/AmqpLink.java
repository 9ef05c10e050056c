package org.cartostream.broker.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.names.QueueArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link BrokerLink} by AMQP: one connection, with one channel to publish and one for each
 * subscription to a queue.
 *
 * <p>Owns the messages in flight, which this link has sent and the broker has not confirmed, and
 * the channels of the subscriptions.
 */
final class AmqpLink implements BrokerLink {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpLink.class);

  private static final int CLOSE_MILLIS = 2000;

  private final Connection connection;
  private final ExecutorService deliveries;
  private final Channel publishing;
  private final QueueArguments queueArguments;
  private final String password;
  private final Outbox outbox;
  private final ConcurrentNavigableMap<Long, Outbox.OutboundMessage> inFlight =
      new ConcurrentSkipListMap<>();
  private final Map<String, Channel> consuming = new ConcurrentHashMap<>();
  private final AtomicReference<String> broken = new AtomicReference<>();
  private volatile boolean refused;
  private volatile boolean refusedItsSize;

  private AmqpLink(
      Connection connection,
      ExecutorService deliveries,
      BrokerAddress address,
      Outbox outbox,
      String service)
      throws IOException {
    this.connection = connection;
    this.deliveries = deliveries;
    this.outbox = outbox;
    this.password = address.password();
    this.queueArguments = QueueArguments.of(connection.getServerProperties());
    connection.addShutdownListener(this::onShutdown);
    connection.addBlockedListener(
        reason ->
            LOG.warn(
                "the broker at {} takes no messages at the moment: it is {}. They wait until it has"
                    + " more room (disk_free_limit, vm_memory_high_watermark of its configuration)",
                address,
                reason),
        () -> LOG.info("the broker at {} takes messages again", address));
    declareShared(service);
    this.publishing = channel();
    publishing.confirmSelect();
    publishing.addConfirmListener(this::onConfirmed, this::onRejected);
  }

  /**
   * Opens a link and declares the exchanges and queues that all parties share.
   *
   * @throws BrokerException if the link cannot be opened
   */
  static AmqpLink open(
      BrokerAddress address,
      BrokerSettings settings,
      String party,
      ExecutorService deliveries,
      Outbox outbox) {
    Connection connection = null;
    try {
      connection = AmqpConnections.factory(address, settings).newConnection(deliveries, party);
      return new AmqpLink(connection, deliveries, address, outbox, settings.service());
    } catch (IOException | TimeoutException | GeneralSecurityException | RuntimeException e) {
      if (connection != null) {
        connection.abort(CLOSE_MILLIS);
      }
      throw ConnectionErrors.of(address, e);
    }
  }

  @Override
  public String breakReason() {
    return broken.get();
  }

  @Override
  public boolean hasRefused() {
    return refused;
  }

  @Override
  public boolean hasRefusedItsSize() {
    return refusedItsSize;
  }

  @Override
  public void send(Outbox.OutboundMessage outboundMessage) {
    long tag = publishing.getNextPublishSeqNo();
    inFlight.put(tag, outboundMessage);
    try {
      publishing.basicPublish(
          outboundMessage.route().exchange(),
          outboundMessage.route().routingKey(),
          outboundMessage.route().certain()
              ? MessageProperties.PERSISTENT_BASIC
              : MessageProperties.MINIMAL_BASIC,
          outboundMessage.frame());
    } catch (ShutdownSignalException e) {
      onShutdown(e);
    } catch (IOException e) {
      breakWith(e.getMessage());
    }
  }

  @Override
  public List<Outbox.OutboundMessage> takeUnconfirmed() {
    List<Outbox.OutboundMessage> outboundMessages = new ArrayList<>();
    for (Map.Entry<Long, Outbox.OutboundMessage> first;
        (first = inFlight.pollFirstEntry()) != null; ) {
      outboundMessages.add(first.getValue());
    }
    return outboundMessages;
  }

  private void onConfirmed(long tag, boolean multiple) {
    outbox.confirmed(takeUpTo(tag, multiple));
  }

  /** Hands rejected messages to the outbox: their queue is full. */
  private void onRejected(long tag, boolean multiple) {
    outbox.rejected(takeUpTo(tag, multiple));
  }

  private List<Outbox.OutboundMessage> takeUpTo(long tag, boolean multiple) {
    List<Outbox.OutboundMessage> taken = new ArrayList<>();
    if (multiple) {
      inFlight.headMap(tag, true).keySet().forEach(each -> take(each, taken));
    } else {
      take(tag, taken);
    }
    return taken;
  }

  private void take(long tag, List<Outbox.OutboundMessage> taken) {
    Outbox.OutboundMessage outboundMessage = inFlight.remove(tag);
    if (outboundMessage != null) {
      taken.add(outboundMessage);
    }
  }

  /**
   * Declares the shared exchanges and the service's queue. A robot may not declare them, as a rule;
   * then it is enough that they exist.
   */
  private void declareShared(String service) throws IOException {
    String queue = BrokerNames.serviceQueue(service);
    if (succeeds(channel -> declareShared(channel, service, queue), AMQP.ACCESS_REFUSED)) {
      return;
    }
    Channel another = channel();
    another.exchangeDeclarePassive(BrokerNames.READINGS);
    another.exchangeDeclarePassive(BrokerNames.ANSWERS);
    another.queueDeclarePassive(queue);
    another.abort();
  }

  private void declareShared(Channel channel, String service, String queue) throws IOException {
    boolean haveRobotsQueues = queueArguments.haveRobotsQueues();
    channel.exchangeDeclare(BrokerNames.NEW_ROBOTS, BuiltinExchangeType.TOPIC, true);
    channel.exchangeDeclare(
        BrokerNames.READINGS,
        BuiltinExchangeType.TOPIC,
        true,
        false,
        haveRobotsQueues ? Map.of("alternate-exchange", BrokerNames.NEW_ROBOTS) : Map.of());
    channel.exchangeDeclare(BrokerNames.ANSWERS, BuiltinExchangeType.TOPIC, true);
    declareQueue(
        channel, queue, BrokerNames.SERVICE_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW);
    channel.queueBind(
        queue,
        haveRobotsQueues ? BrokerNames.NEW_ROBOTS : BrokerNames.READINGS,
        BrokerNames.everyRobotOf(service));
  }

  /**
   * Declares a robot's queues, or finds them. A robot of a cluster may not declare them: they came
   * with its account, under names that others cannot guess. Accounts made by other means may use
   * the plain names.
   */
  @Override
  public List<String> declareAnswers(String robot) throws IOException {
    List<String> plain = List.of(BrokerNames.certainQueue(robot), BrokerNames.latestQueue(robot));
    BrokerRequest declares = channel -> declareAnswers(channel, robot, plain.get(0), plain.get(1));
    if (succeeds(declares, AMQP.ACCESS_REFUSED)) {
      return plain;
    }
    List<String> own = BrokerUsers.queuesOfAccount(robot, password);
    if (succeeds(channel -> find(channel, own), AMQP.NOT_FOUND)) {
      return own;
    }
    Channel another = channel();
    find(another, plain);
    another.abort();
    return plain;
  }

  private static void find(Channel channel, List<String> queues) throws IOException {
    for (String queue : queues) {
      channel.queueDeclarePassive(queue);
    }
  }

  /** Request that a broker may deny. */
  interface BrokerRequest {
    void on(Channel channel) throws IOException;
  }

  /**
   * Makes a request; returns false if the broker closes the channel with AMQP's reply code for that
   * denial.
   */
  boolean succeeds(BrokerRequest request, int denial) throws IOException {
    Channel channel = connection.createChannel(); // Its end does not break the link.
    if (channel == null) {
      throw noMoreChannels();
    }
    try {
      request.on(channel);
      return true;
    } catch (IOException e) {
      if (!ConnectionErrors.isChannelClosed(e, denial)) {
        throw e;
      }
      return false;
    } finally {
      channel.abort();
    }
  }

  /**
   * Declares a robot's queues. A queue of another length that an earlier version declared stays, as
   * a queue's arguments cannot be changed.
   */
  private void declareAnswers(Channel channel, String robot, String certain, String latest)
      throws IOException {
    BrokerRequest declaresLatest =
        each ->
            declareQueue(
                each, latest, BrokerNames.LATEST_QUEUE_LENGTH, QueueArguments.Overflow.DROP_OLDEST);
    declareQueue(
        channel, certain, BrokerNames.CERTAIN_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW);
    if (!succeeds(declaresLatest, AMQP.PRECONDITION_FAILED)) {
      LOG.info("{} has been there with other arguments, and stays as it is", latest);
    }
    for (BrokerNames.Answer answer : BrokerNames.Answer.values()) {
      String queue = answer.certain() ? certain : latest;
      channel.queueBind(queue, BrokerNames.ANSWERS, answer.keyTo(robot));
    }
  }

  /** Deletes queues; a queue that this link may not delete is emptied. */
  @Override
  public void delete(List<String> queues) throws IOException {
    for (String queue : queues) {
      Channel reading = consuming.remove(queue);
      if (reading != null) {
        reading.abort(); // First, as its queue's end would look like a fault.
      }
      if (!succeeds(channel -> channel.queueDelete(queue), AMQP.ACCESS_REFUSED)) {
        Channel channel = channel();
        channel.queuePurge(queue);
        channel.abort();
      }
    }
  }

  /**
   * Deletes the queues of readings. Robots' queues are found by the list that the service keeps in
   * another queue, which is deleted last.
   */
  @Override
  public void deleteReadings(String service) throws IOException {
    List<String> queues = new ArrayList<>(List.of(BrokerNames.serviceQueue(service)));
    String names = BrokerNames.queueNames(service);
    if (queueArguments.haveRobotsQueues()
        && succeeds(
            each -> queues.addAll(RobotQueues.names(each, service).keySet()), AMQP.NOT_FOUND)) {
      queues.add(names);
    }
    delete(queues);
  }

  private void declareQueue(
      Channel channel, String queue, int length, QueueArguments.Overflow overflow)
      throws IOException {
    channel.queueDeclare(queue, true, false, false, queueArguments.bounded(length, overflow));
  }

  @Override
  public void consume(
      String queue, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException {
    Channel channel = channelOf(queue);
    channel.basicQos(prefetch);
    channel.basicConsume(
        queue, false, "", false, true, Map.of(), consumer(channel, prefetch, reader, receiver));
  }

  @Override
  public void consumeReadings(
      String service, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException {
    String queue = BrokerNames.serviceQueue(service);
    Channel channel = channelOf(queue);
    if (receiver == Receiver.NOBODY || !queueArguments.haveRobotsQueues()) {
      channel.basicQos(prefetch);
      channel.basicConsume(queue, false, consumer(channel, prefetch, reader, receiver));
      return;
    }
    new RobotQueues(
            this,
            channel,
            service,
            prefetch,
            deliveries,
            (each, onKept) ->
                new QueueConsumer(each, prefetch, reader, receiver, this::breakWith, onKept))
        .begin();
  }

  private QueueConsumer consumer(
      Channel channel, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver) {
    return new QueueConsumer(channel, prefetch, reader, receiver, this::breakWith, kept -> {});
  }

  /** Returns a channel to consume a queue by. */
  Channel channelOf(String queue) throws IOException {
    return spareChannelOf(queue).orElseThrow(AmqpLink::noMoreChannels);
  }

  /** Returns a channel to consume a queue by; empty if the broker allows no more channels. */
  Optional<Channel> spareChannelOf(String queue) throws IOException {
    Optional<Channel> channel = spareChannel();
    channel.ifPresent(each -> consuming.put(queue, each));
    return channel;
  }

  Channel channel() throws IOException {
    return spareChannel().orElseThrow(AmqpLink::noMoreChannels);
  }

  private Optional<Channel> spareChannel() throws IOException {
    Optional<Channel> channel = Optional.ofNullable(connection.createChannel());
    channel.ifPresent(each -> each.addShutdownListener(this::onShutdown));
    return channel;
  }

  private static IOException noMoreChannels() {
    return new IOException("the broker allows no more channels");
  }

  private void onShutdown(ShutdownSignalException signal) {
    if (!signal.isInitiatedByApplication()) {
      if (signal.getReference() == publishing
          && signal.getReason() instanceof AMQP.Channel.Close close) {
        refusedItsSize |= close.getReplyCode() == AMQP.PRECONDITION_FAILED;
        refused = true;
      }
      breakWith(ConnectionErrors.reason(signal));
    }
  }

  @Override
  public void breakWith(String why) {
    broken.compareAndSet(null, why == null ? "the connection is closed" : why);
  }

  @Override
  public void close() {
    connection.abort(CLOSE_MILLIS);
  }
}
