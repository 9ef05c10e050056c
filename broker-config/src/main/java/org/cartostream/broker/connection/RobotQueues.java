package org.cartostream.broker.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.QueueArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscription of a service to a queue of readings for each robot at RabbitMQ, so that readings
 * never wait behind another robot's, whatever that sends. Of each queue only a few messages are on
 * their way at a time, however many the service keeps unacknowledged: see {@link Window}.
 *
 * <p>A robot without a queue is heard by the service's own queue, and is given a queue then. The
 * name of that queue is put into the queue of names, by which the service's next subscription finds
 * it; queues that are empty by then are deleted. A robot's queue is read only when its announcement
 * has come by the service's queue, behind all that the robot had sent there before.
 *
 * <p>Owns the names of the robots that have queues, the channels of the queues that are not read
 * yet, and the thread that makes queues, so that no delivery waits for the broker.
 */
final class RobotQueues extends DefaultConsumer {

  private static final Logger LOG = LoggerFactory.getLogger(RobotQueues.class);
  private static final long CONFIRM_MILLIS = 10_000;

  /**
   * Pause between searches for names and announcements that were missed: {@code cluster health}, or
   * a process that was cut off, may have held them when they were first looked for.
   */
  private static final int AGAIN_SECONDS = 30;

  /** Maximum number of a robot's messages that are on their way at a time: 1 MB of the largest. */
  private static final int MAX_IN_FLIGHT = 16;

  private final AmqpLink link;
  private final String service;
  private final int prefetch;
  private final Executor deliveries;
  private final BiFunction<Channel, IntConsumer, QueueConsumer> consumers;
  private final QueueConsumer ofNewRobots;
  private final Channel naming;
  private final Set<String> robots = ConcurrentHashMap.newKeySet();

  // The next two are used by one thread at a time: at first the link's, then the maker's.
  private final Set<String> known = new HashSet<>();
  private final Map<String, Channel> unread = new HashMap<>();

  private final ScheduledExecutorService maker =
      new ScheduledThreadPoolExecutor(
          1,
          task -> AmqpConnections.daemonThread(task, "broker-robots-queues"),
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * @param channel channel of the service's own queue
   * @param prefetch maximum number of unacknowledged messages of each queue
   * @param consumers creates the consumer of a channel, which reports how the number of its
   *     unacknowledged messages changes
   */
  RobotQueues(
      AmqpLink link,
      Channel channel,
      String service,
      int prefetch,
      Executor deliveries,
      BiFunction<Channel, IntConsumer, QueueConsumer> consumers)
      throws IOException {
    super(channel);
    this.link = link;
    this.service = service;
    this.prefetch = prefetch;
    this.deliveries = deliveries;
    this.consumers = consumers;
    this.ofNewRobots = consumer(channel);
    this.naming = link.channel();
  }

  /**
   * Returns the names of a service's queues for robots, with delivery tags; the broker has the
   * names again when the channel is closed.
   */
  static Map<String, Long> names(Channel channel, String service) throws IOException {
    Map<String, Long> tags = new LinkedHashMap<>();
    String names = BrokerNames.queueNames(service);
    for (GetResponse next; (next = channel.basicGet(names, false)) != null; ) {
      tags.put(
          new String(next.getBody(), StandardCharsets.UTF_8), next.getEnvelope().getDeliveryTag());
    }
    return tags;
  }

  /** Subscribes to the readings of all robots. */
  void begin() throws IOException {
    String names = BrokerNames.queueNames(service);
    naming.addShutdownListener(signal -> maker.shutdownNow());
    naming.confirmSelect();
    naming.queueDeclare(names, true, false, false, Map.of());
    naming.queueBind(names, BrokerNames.NEW_ROBOTS, names);
    takeUp();
    getChannel().basicConsume(BrokerNames.serviceQueue(service), false, this);
    maker.scheduleWithFixedDelay(
        () -> make(this::takeUpAgain), AGAIN_SECONDS, AGAIN_SECONDS, TimeUnit.SECONDS);
  }

  private void takeUpAgain() throws IOException {
    for (String queue : List.copyOf(unread.keySet())) {
      read(queue);
    }
    takeUp();
  }

  private void takeUp() throws IOException {
    Channel looking = link.channel();
    for (Map.Entry<String, Long> each : names(looking, service).entrySet()) {
      String queue = each.getKey();
      if (!known.add(queue)) {
        continue;
      }
      declare(queue); // Whoever named it may have died before.
      if (link.succeeds(it -> it.queueDelete(queue, true, true), AMQP.PRECONDITION_FAILED)) {
        looking.basicAck(each.getValue(), false);
      } else {
        robots.add(BrokerNames.robotOfQueue(queue));
        announce(queue, link.channelOf(queue));
      }
    }
    looking.abort();
  }

  private void declare(String queue) throws IOException {
    Map<String, Object> arguments =
        new HashMap<>(
            QueueArguments.RABBITMQ.bounded(
                BrokerNames.SERVICE_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW));
    arguments.put("x-max-length-bytes", BrokerNames.READINGS_BYTES);
    naming.queueDeclare(queue, true, false, false, arguments);
    String robot = BrokerNames.robotOfQueue(queue);
    naming.queueBind(queue, BrokerNames.READINGS, BrokerNames.keyOfReadings(service, robot));
  }

  @Override
  public void handleDelivery(
      String tag, Envelope delivery, AMQP.BasicProperties properties, byte[] body)
      throws IOException {
    if (delivery.getExchange().equals(BrokerNames.NEW_ROBOTS)) {
      String queue = new String(body, StandardCharsets.UTF_8);
      maker.execute(() -> make(() -> read(queue)));
      getChannel().basicAck(delivery.getDeliveryTag(), false);
      return;
    }
    String robot = BrokerNames.robotOf(delivery.getExchange(), delivery.getRoutingKey());
    if (RobotId.isOne(robot) && robots.add(robot)) {
      maker.execute(() -> make(() -> meet(robot)));
    }
    ofNewRobots.handleDelivery(tag, delivery, properties, body);
  }

  private interface Step {
    void take() throws IOException;
  }

  private void make(Step step) {
    try {
      step.take();
    } catch (IOException | ShutdownSignalException e) {
      link.breakWith("a robot's queue of readings was not made: " + e.getMessage());
    }
  }

  @Override
  public void handleCancel(String tag) {
    ofNewRobots.handleCancel(tag);
  }

  private void meet(String robot) throws IOException {
    String queue = BrokerNames.newRobotQueue(service, robot);
    Optional<Channel> channel = link.spareChannelOf(queue);
    if (channel.isEmpty()) {
      LOG.warn(
          "the readings of {} and of robots that come later wait in one queue: the broker allows no more channels",
          robot);
      return;
    }
    known.add(queue);
    if (!publish(BrokerNames.queueNames(service), queue)) {
      throw new IOException("the broker does not take its name");
    }
    declare(queue);
    announce(queue, channel.get());
  }

  /**
   * Announces a robot's queue in the service's own queue, so that it is read when all before it has
   * been; reads it at once if there is no room for the announcement.
   */
  private void announce(String queue, Channel channel) throws IOException {
    unread.put(queue, channel);
    String robot = BrokerNames.robotOfQueue(queue);
    if (!publish(BrokerNames.keyOfReadings(service, robot), queue)) {
      read(queue);
    }
  }

  /** Publishes the name of a queue; returns false if the queue that gets the name is full. */
  private boolean publish(String key, String queue) throws IOException {
    naming.basicPublish(
        BrokerNames.NEW_ROBOTS,
        key,
        MessageProperties.PERSISTENT_BASIC,
        queue.getBytes(StandardCharsets.UTF_8));
    try {
      return naming.waitForConfirms(CONFIRM_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (TimeoutException e) {
      throw new IOException("the broker has not confirmed it for " + CONFIRM_MILLIS + " ms", e);
    }
  }

  /**
   * Begins to consume a queue. Does nothing if it is consumed already, or was announced to an
   * earlier subscription.
   */
  private void read(String queue) throws IOException {
    Channel channel = unread.remove(queue);
    if (channel != null) {
      channel.basicConsume(queue, false, consumer(channel));
    }
  }

  private QueueConsumer consumer(Channel channel) throws IOException {
    Window window = new Window(channel);
    channel.basicQos(window.max, true);
    return consumers.apply(channel, window);
  }

  /**
   * Maximum number of unacknowledged messages of a channel (prefetch): the messages that the
   * service keeps until a checkpoint is durable, which are many, and a few more. Only the few more
   * can be in front of other robots' readings. RabbitMQ cannot bound their bytes; so it is given a
   * new maximum as the number of kept messages changes.
   */
  private final class Window implements IntConsumer {
    private final Channel channel;
    private int max = Math.min(prefetch, MAX_IN_FLIGHT);
    private int kept;
    private boolean isChanging;

    Window(Channel channel) {
      this.channel = channel;
    }

    @Override
    public synchronized void accept(int more) {
      kept += more;
      int next = Math.min(prefetch, kept + MAX_IN_FLIGHT);
      boolean isNear = Math.abs(next - max) < MAX_IN_FLIGHT / 2 && next < prefetch;
      if (isChanging || isNear || next == max) {
        return;
      }
      isChanging = true;
      max = next;
      try {
        channel
            .asyncCompletableRpc(
                new AMQP.Basic.Qos.Builder().prefetchCount(max).global(true).build())
            .whenCompleteAsync((done, e) -> changed(), deliveries);
      } catch (IOException | ShutdownSignalException e) {
        LOG.debug("the channel is closed", e); // So its window does not matter.
      }
    }

    private synchronized void changed() {
      isChanging = false;
      accept(0);
    }
  }
}
