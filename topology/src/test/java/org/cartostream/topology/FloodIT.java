package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.cartostream.topology.ServiceIT.settings;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.local.LocalRabbitMq;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * One robot's account floods a real RabbitMQ, while another robot drives at 5 Hz: that one's
 * answers are the same. With {@code -Dcartostream.soak=true} they must come as soon, too, or within
 * a quarter of a second.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FloodIT {

  private static final int PERIOD_MILLIS = 200;

  /** The first readings wait for Java's compiler. */
  private static final int WARM_UP = 15;

  private static final int UNDISTURBED = 50;
  private static final long BOUND_MILLIS = 250;

  private static final int BATCH_MILLIS = 10;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** {@code topology.robotRunsPerMinute}: one more may begin each six seconds. */
  private static final int RUNS_A_MINUTE = 10;

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
      assertOtherIsNotDelayed(flood, Duration.ofSeconds(20));

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(flood.sent - flood.rejected.get() - dropped())
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
      double before = dropped();
      assertOtherIsNotDelayed(flood, Duration.ofSeconds(10));

      assertThat(dropped()).isGreaterThan(before);
    }
  }

  @Test
  void ofGarbageDelaysNobody() throws Exception {
    byte[] garbage = "no message of ours".getBytes(StandardCharsets.UTF_8);
    try (Flood flood = new Flood("garbage", 5_000, number -> garbage)) {
      assertOtherIsNotDelayed(flood, Duration.ofSeconds(10));

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(count("cartostream.refused.messages"))
                      .isEqualTo(flood.sent - flood.rejected.get()));
    }
  }

  private double dropped() {
    return count("cartostream.dropped.messages");
  }

  private double count(String name) {
    return meters.find(name).counters().stream().mapToDouble(Counter::count).sum();
  }

  private byte[] reading(String robot, long run, long sequence) {
    return codec.encode(
        new Envelope(
            robot, run, sequence, READING.stampNanos() + sequence, new ReadingMessage(READING)));
  }

  private void assertOtherIsNotDelayed(Flood flood, Duration disturbed) throws Exception {
    int count = UNDISTURBED + (int) (disturbed.toMillis() / PERIOD_MILLIS);
    List<Reading> readings = Drive.readings(21, count);
    String name = "bystander-" + flood.robot;
    ScheduledExecutorService clock = Executors.newScheduledThreadPool(3);
    try (Robot bystander = new Robot(name, settings.broker())) {
      bystander.drive(readings, 1, WARM_UP);
      long alone = p99(drive(clock, bystander, readings, WARM_UP + 1, UNDISTURBED));
      Future<?> flooding =
          clock.scheduleAtFixedRate(flood::sendSome, 0, BATCH_MILLIS, TimeUnit.MILLISECONDS);
      long flooded = p99(drive(clock, bystander, readings, UNDISTURBED + 1, count));
      flooding.cancel(false);
      clock.shutdown();
      assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      bystander.end(count);

      System.out.printf(
          "flood of %s: %d messages, %s rejected; p99 %d ms, %d ms alone%n",
          flood.robot, flood.sent, flood.rejected, flooded, alone);
      assertThat(bystander.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), name, readings));
      if (Boolean.getBoolean("cartostream.soak")) { // In the suite others need the machine, too.
        assertThat(flooded).as("ms").isLessThanOrEqualTo(Math.max(2 * alone, BOUND_MILLIS));
      }
    } finally {
      clock.shutdownNow();
    }
  }

  /**
   * Sends one reading each period.
   *
   * @return milliseconds from each one's time until its outcome was there
   */
  private static long[] drive(
      ScheduledExecutorService clock, Robot robot, List<Reading> readings, int from, int to)
      throws Exception {
    List<Future<Long>> all = new ArrayList<>();
    long first = System.nanoTime();
    for (int sequence = from; sequence <= to; sequence++) {
      int number = sequence;
      long after = TimeUnit.MILLISECONDS.toNanos((long) PERIOD_MILLIS * (number - from));
      all.add(
          clock.schedule(
              () -> {
                robot.say(number, readings.get(number - 1));
                robot.awaitAnswers(number);
                return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - first - after);
              },
              after,
              TimeUnit.NANOSECONDS));
    }
    long[] millis = new long[all.size()];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = all.get(i).get(5, TimeUnit.MINUTES);
    }
    return millis;
  }

  private static long p99(long[] millis) {
    Arrays.sort(millis);
    return millis[(int) Math.ceil(0.99 * millis.length) - 1];
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
    private final AtomicLong rejected = new AtomicLong();
    private volatile long sent;

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
          (tag, multiple) -> {}, (tag, multiple) -> rejected.incrementAndGet());
    }

    void sendSome() {
      try {
        for (int i = 0; i < batch; i++) {
          byte[] frame = frames.frame(sent + 1);
          channel.basicPublish(
              BrokerNames.READINGS, settings.broker().service() + "." + robot, null, frame);
          sent++;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}
