package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Robots whose readings would take more memory than the service's process has, which lives on: each
 * of their readings has an outcome or is counted as dropped, and another robot at 5 Hz has the same
 * answers as if it were alone.
 */
@Nightly
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HeavyRobotsIT {

  private static final int HEAP_MEGABYTES = 1024;
  private static final long SEED = 33;
  private static final int PERIOD_MILLIS = 25;
  private static final int A_ROW = 9;
  private static final int WIDE = 80;

  private static final Duration SOON = Duration.ofSeconds(180);

  private static final int FINE_READINGS = 60;

  private static final int DOZEN = 12;
  private static final int HELD_READINGS = 600;

  @TempDir private Path temporary;
  private Path folder;

  private ServiceSettings settings;
  private ServiceProcess service;

  @BeforeEach
  void start() throws Exception {
    folder = Files.createDirectory(temporary.resolve("checkpoints"));
    service = ServiceProcess.start(folder, HEAP_MEGABYTES);
    settings = service.settings();
    System.out.println("seed " + SEED);
  }

  @AfterEach
  void stop() throws Exception {
    if (service != null) {
      service.close();
    }
  }

  /**
   * A scan of random ranges.
   *
   * @param max the longest range, metres
   * @param apart from one place to the next, metres; a robot drives 2 m a second
   */
  private static Reading random(int number, int beams, double max, double apart) {
    Random random = new Random(SEED + number);
    float[] ranges = new float[beams];
    for (int i = 0; i < beams; i++) {
      ranges[i] = (float) (0.5 + max * random.nextDouble());
    }
    Scan scan = new Scan(Pose.ORIGIN, -3, 6.0 / beams, 0.1, 300, ranges);
    long stamp = (long) (number * (1 + apart / 2) * 1e9);
    // To and fro, so that the map as a picture does not become too large.
    int row = number / A_ROW;
    int column = row % 2 == 0 ? number % A_ROW : A_ROW - 1 - number % A_ROW;
    return new Reading(stamp, new Pose(1 + apart * column, 1 + apart * row, 0), scan);
  }

  private void assertOtherIsServed(Bystander.Attack attack) throws Exception {
    Bystander.drive("bystander", settings, attack);
    assertThat(service.isAlive()).isTrue();
  }

  /** Three of them once ended every worker. */
  @Test
  void sixtyThousandBeamsAreRefusedAndThoseThatAreTooManyDropped() throws Exception {
    Codec codec = new Codec(1 << 20);
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(service.node().uri());
    AtomicLong sent = new AtomicLong();
    try (Connection connection = factory.newConnection();
        Robot mallory = new Robot("mallory", settings.broker())) {
      Channel channel = connection.createChannel();
      assertOtherIsServed(
          goesOn -> {
            while (goesOn.getAsBoolean()) {
              publish(channel, codec, mallory, sent);
              TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS); // Its pace, no wait for anything.
            }
          });
      long numbers = sent.get();
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(mallory.answers().answered() + service.dropped())
                      .isGreaterThanOrEqualTo(numbers - settings.topology().waitingReadings()));
      assertThat(mallory.answers().outcome(1)).startsWith("Refused[refusal=TOO_MANY_BEAMS,");
    }
  }

  /** Each reading has its outcome, at the pace of a laser. */
  @Test
  void allReadingsOfTwentyThousandBeamsAreRefusedAndNoneIsDropped() throws Exception {
    try (Robot fine = new Robot("fine", settings.broker())) {
      attack(fine, () -> false, FINE_READINGS, number -> random(number, 20_000, 298, 0.5));
      assertThat(fine.answers().report().refused()).isEqualTo(FINE_READINGS);
      assertThat(fine.answers().outcome(FINE_READINGS))
          .startsWith("Refused[refusal=TOO_MANY_BEAMS,");
    }
    assertThat(service.dropped()).isZero();
  }

  private void publish(Channel channel, Codec codec, Robot mallory, AtomicLong sent) {
    Reading reading = random((int) sent.get() % 8, 60_000, 298, 0.5);
    byte[] frame =
        codec.encode(
            new Envelope(
                "mallory",
                mallory.run(),
                sent.get() + 1,
                reading.stampNanos(),
                new ReadingMessage(reading)));
    try {
      for (byte[] piece : FrameFragmentation.of(frame)) {
        channel.basicPublish(
            BrokerNames.READINGS, settings.broker().service() + ".mallory", null, piece);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sent.incrementAndGet();
  }

  /**
   * As many beams as are allowed: with ranges that no room has, and with such as a hall has, until
   * the map has all memory that its robot may have. States of its size are in checkpoints then.
   */
  @Test
  void asManyBeamsAsAreAllowedEndOnlyTheirOwnRun() throws Exception {
    assertOtherIsServed(
        goesOn -> {
          try (Robot near = new Robot("near", settings.broker());
              Robot far = new Robot("far", settings.broker())) {
            attack(far, () -> false, 20, number -> random(number, 10_000, 298, 0.5));
            BooleanSupplier grows = () -> !isRefused(near);
            attack(
                near,
                () -> goesOn.getAsBoolean() || grows.getAsBoolean(),
                1,
                number -> random(number, 10_000, 20, 2));
          }
        });
  }

  /**
   * They stand, and all that they send is held, until it is a quarter of the heap: 290 MB would be
   * held in all. A file where the store's folder was is as good as a full disk.
   */
  @Test
  void aDozenRobotsWithoutAStoreLeaveRoomInTheHeap() throws Exception {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    Files.createFile(folder);
    ExecutorService threads = Executors.newFixedThreadPool(DOZEN);
    List<Future<FinishedMessage>> reports = new ArrayList<>();
    Reading first = random(0, 10_000, 20, 0);
    for (int i = 0; i < DOZEN; i++) {
      String name = "standing-" + i;
      reports.add(
          threads.submit(
              () -> {
                try (Robot robot = new Robot(name, settings.broker())) {
                  attack(
                      robot,
                      () -> false,
                      HELD_READINGS,
                      number ->
                          new Reading(
                              number * TimeUnit.MILLISECONDS.toNanos(100),
                              first.odometry(),
                              first.scan()));
                  return robot.answers().report();
                }
              }));
    }
    int notRestorable = 0;
    for (Future<FinishedMessage> each : reports) {
      FinishedMessage report = each.get();
      assertThat(report.processed() + report.refused()).isEqualTo(HELD_READINGS);
      notRestorable += report.recovery().notDurable().isEmpty() ? 0 : 1;
    }
    threads.shutdown();
    Files.delete(folder);
    assertThat(notRestorable).isEqualTo(DOZEN);
    assertThat(service.isAlive()).isTrue();
  }

  private static boolean isRefused(Robot robot) {
    int answered = robot.answers().answered();
    return answered > 0 && robot.answers().outcome(answered).startsWith("Refused[refusal=");
  }

  /** Its map would take more than a gigabyte. */
  @Test
  void aRobotWhoseMapGrowsIsRefusedAndItsEndGivesItsMap() throws Exception {
    assertOtherIsServed(
        goesOn -> {
          try (Robot wide = new Robot("wide", settings.broker())) {
            int last = attack(wide, goesOn, WIDE, number -> random(number, 181, 60, 60));
            assertThat(wide.answers().outcome(last)).startsWith("Refused[refusal=TOO_MUCH_MEMORY,");
            assertThat(wide.answers().report().processed()).isGreaterThan(10);
          }
        });
  }

  /**
   * @param min so many readings, however soon it is to end
   * @return how many it sent
   */
  private static int attack(
      Robot robot, BooleanSupplier goesOn, int min, IntFunction<Reading> readings) {
    int count = 0;
    while (count < min || goesOn.getAsBoolean()) {
      count++;
      robot.send(count, readings.apply(count));
      robot.awaitAnswers(count - 1);
    }
    robot.end(count);
    assertThat(robot.answers().answered()).isEqualTo(count);
    assertThat(robot.answers().report().failure()).isEmpty();
    System.out.printf(
        "%s: %d processed, %d refused, last: %s%n",
        robot,
        robot.answers().report().processed(),
        robot.answers().report().refused(),
        robot.answers().outcome(count));
    return count;
  }
}
