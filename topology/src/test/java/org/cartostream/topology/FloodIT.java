package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.cartostream.topology.ServiceIT.settings;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One robot's account floods a real RabbitMQ, while another robot drives: a {@link Bystander}. */
@Nightly
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FloodIT {

  private static final int BATCH_MILLIS = 10;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** {@code topology.robotRunsPerMinute}: one more may begin each six seconds. */
  private static final int RUNS_A_MINUTE = 10;

  private static final long SEED = 54;

  private static final Reading READING = Drive.readings(22, 1).get(0);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Codec codec = new Codec(1 << 20);
  private LocalRabbitMq node;
  private ServiceSettings settings;
  private LocalService service;

  @BeforeAll
  void startService() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node = LocalRabbitMq.started();
    Metrics.addRegistry(meters);
    settings = settings(node.uri(), 2, "dataflow", "memory");
    service = LocalService.start(settings);
  }

  @AfterAll
  void stopService() throws Exception {
    Metrics.removeRegistry(meters);
    if (service != null) {
      service.close();
    }
    if (node != null) {
      node.close();
    }
  }

  /** More than 60,000 in 5.3 s, which once left all robots without answers for minutes. */
  @Test
  void ofNewRunsDelaysNobody() throws Exception {
    try (Flood flood = new Flood("runs", 12_000, number -> reading("runs", Envelope.newRun(), 1))) {
      assertOtherIsNotDelayed(flood);

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(flood.sent - flood.rejected.get() - dropped("TOO_MANY_RUNS"))
                      .as("begun")
                      .isBetween((double) RUNS_A_MINUTE, 2.0 * RUNS_A_MINUTE));
    }
  }

  /** Its answers fill a queue from which nobody takes. */
  @Test
  void withinOneRunDelaysNobodyThoughItsAnswersFillTheirQueue() throws Exception {
    try (Robot deaf = new Robot("deaf", settings.broker());
        Flood flood = new Flood("deaf", 2_000, number -> reading("deaf", 1, number))) {
      deaf.stopsListening();
      String queue = BrokerNames.certainQueue("deaf");
      for (int i = 0; i < BrokerNames.CERTAIN_QUEUE_LENGTH; i++) {
        flood.channel.basicPublish("", queue, null, new byte[1]);
      }
      assertOtherIsNotDelayed(flood);

      assertThat(dropped("TOO_MANY_WAITING")).isPositive();
    }
  }

  /** Of what must arrive it acknowledges nothing, of the rest one message in a second. */
  @Test
  void ofReadingsWhoseAnswersAreSeldomAcknowledgedDelaysNobody() throws Exception {
    try (Robot slow = new Robot("slow", settings.broker());
        Flood flood = new Flood("slow", 500, number -> reading("slow", 1, number))) {
      slow.stopsListening();
      Channel channel = flood.connection.createChannel();
      channel.basicQos(100); // More would hold up the client's own reader.
      channel.basicConsume(BrokerNames.certainQueue("slow"), false, (tag, answer) -> {}, tag -> {});
      channel.basicConsume(
          BrokerNames.latestQueue("slow"),
          false,
          (tag, answer) -> {
            try {
              TimeUnit.SECONDS.sleep(1); // Its pace.
              channel.basicAck(answer.getEnvelope().getDeliveryTag(), false);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          },
          tag -> {});
      assertOtherIsNotDelayed(flood);

      assertThat(dropped("TOO_MANY_WAITING")).isPositive();
    }
  }

  @Test
  void ofGarbageDelaysNobody() throws Exception {
    byte[] garbage = "no message of ours".getBytes(StandardCharsets.UTF_8);
    double before = count("cartostream.refused.messages");
    try (Flood flood = new Flood("garbage", 5_000, number -> garbage)) {
      assertOtherIsNotDelayed(flood);

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(count("cartostream.refused.messages") - before)
                      .isEqualTo(flood.sent - flood.rejected.get()));
    }
  }

  /** Of one run, each many times, and never the next. */
  @Test
  void ofDuplicatesInDisorderDelaysNobody() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (Flood flood =
        new Flood("twice", 5_000, number -> reading("twice", 1, 1 + random.nextInt(2_000)))) {
      assertOtherIsNotDelayed(flood);

      assertThat(dropped("TOO_MANY_WAITING")).isPositive();
    }
  }

  /** As many bytes as RabbitMQ's frame has room for, unless it is told otherwise. */
  @Test
  void ofHeadersDelaysNobody() throws Exception {
    double before = count("cartostream.refused.messages");
    try (Flood flood = new Flood("headers", 500, number -> reading("headers", 1, number))) {
      flood.properties =
          new AMQP.BasicProperties.Builder().headers(Map.of("x", "y".repeat(100_000))).build();
      assertOtherIsNotDelayed(flood);

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(count("cartostream.refused.messages") - before)
                      .isEqualTo(flood.sent - flood.rejected.get()));
    }
  }

  private double dropped(String reason) {
    return count("cartostream.dropped.messages", "reason", reason);
  }

  private double count(String name, String... tags) {
    return meters.find(name).tags(tags).counters().stream().mapToDouble(Counter::count).sum();
  }

  private byte[] reading(String robot, long run, long sequence) {
    return codec.encode(
        new Envelope(
            robot, run, sequence, READING.stampNanos() + sequence, new ReadingMessage(READING)));
  }

  private void assertOtherIsNotDelayed(Flood flood) throws Exception {
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try {
      Bystander.drive(
          "bystander-" + flood.robot,
          settings,
          goesOn -> {
            Future<?> flooding =
                clock.scheduleAtFixedRate(flood::sendSome, 0, BATCH_MILLIS, TimeUnit.MILLISECONDS);
            await().forever().until(() -> !goesOn.getAsBoolean() || flooding.isDone());
            flooding.cancel(false);
            clock.shutdown();
            assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
          });
    } finally {
      clock.shutdownNow();
    }
    System.out.printf(
        "flood of %s: %d messages, %s rejected%n", flood.robot, flood.sent, flood.rejected.get());
  }

  private interface Frames {
    byte[] frame(long number);
  }

  /** A client of RabbitMQ's own library with a robot's name. */
  private final class Flood implements AutoCloseable {

    private final String robot;
    private final int batch;
    private final Frames frames;
    private final Connection connection;
    private final Channel channel;

    /** What the broker has neither taken nor rejected yet, by its numbers. */
    private final NavigableSet<Long> unconfirmed = new ConcurrentSkipListSet<>();

    /** What found its queue full. */
    private final AtomicLong rejected = new AtomicLong();

    private volatile long sent;

    /** Null for none. */
    private volatile AMQP.BasicProperties properties;

    Flood(String robot, int perSecond, Frames frames) throws Exception {
      this.robot = robot;
      this.batch = perSecond * BATCH_MILLIS / 1000;
      this.frames = frames;
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(node.uri());
      connection = factory.newConnection();
      channel = connection.createChannel();
      channel.confirmSelect();
      channel.addConfirmListener(
          this::settle, (tag, multiple) -> rejected.addAndGet(settle(tag, multiple)));
    }

    private int settle(long tag, boolean multiple) {
      NavigableSet<Long> settled =
          multiple ? unconfirmed.headSet(tag, true) : unconfirmed.subSet(tag, true, tag, true);
      int count = settled.size();
      settled.clear();
      return count;
    }

    void sendSome() {
      try {
        for (int i = 0; i < batch; i++) {
          byte[] frame = frames.frame(sent + 1);
          unconfirmed.add(channel.getNextPublishSeqNo());
          channel.basicPublish(
              BrokerNames.READINGS, settings.broker().service() + "." + robot, properties, frame);
          sent++;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      connection.abort();
    }
  }
}
