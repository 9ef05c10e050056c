package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.Codec;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.local.CutWire;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.IntakeSettings;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LiveTest extends BrokerTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  /** A sixth of it is longer than a busy machine stands still; then readings are sent again. */
  private static final int PATIENT_SECONDS = 60;

  @TempDir private Path folder;

  private final String robot = "robot-" + UUID.randomUUID();
  private final Heard heard = new Heard();
  private final List<Live> all = new ArrayList<>();
  private FakeService service;

  @BeforeEach
  void startService() {
    service = new FakeService(broker.uri());
  }

  @AfterEach
  void stopAll() {
    all.forEach(Live::close);
    service.close();
  }

  /** Writes down what a live robot is told. */
  private static final class Heard implements LiveListener {
    private final Map<Long, List<Outcome>> outcomes = new ConcurrentHashMap<>();
    private final Map<Long, LeftOut> leftOut = new ConcurrentHashMap<>();
    private final List<OccupancyGrid> maps = new CopyOnWriteArrayList<>();
    private final List<String> restarts = new CopyOnWriteArrayList<>();
    private final List<String> brokenEnds = new CopyOnWriteArrayList<>();
    private final List<String> outages = new CopyOnWriteArrayList<>();
    private final List<PathPose> path = new CopyOnWriteArrayList<>();

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      outcomes
          .computeIfAbsent(reading.stampNanos(), unheard -> new CopyOnWriteArrayList<>())
          .add(outcome);
    }

    @Override
    public void onLeftOut(long stampNanos, LeftOut why) {
      leftOut.put(stampNanos, why);
    }

    @Override
    public void onMap(OccupancyGrid map, long stampNanos) {
      maps.add(map);
    }

    @Override
    public void onEnd(OccupancyGrid map, List<PathPose> whole) {
      path.addAll(whole);
    }

    @Override
    public void onBrokenEnd(String why, List<PathPose> whole) {
      brokenEnds.add(why);
      path.addAll(whole);
    }

    @Override
    public void onRestart(String why) {
      restarts.add(why);
    }

    @Override
    public void onOutage(String why) {
      outages.add(why);
    }

    @Override
    public void onBack() {}
  }

  private Live live(String uri, int answerTimeoutSeconds) {
    BrokerSettings settings = BrokerSettings.defaults().withUri(uri);
    Live live =
        Live.open(
            new Live.Robot(
                robot,
                new GatewaySettings(2, answerTimeoutSeconds, 50, 64),
                Settings.defaults(IntakeSettings.class),
                folder),
            heard,
            outages -> BrokerConnection.open(settings, "gateway", outages));
    all.add(live);
    return live;
  }

  private static Thread run(Live live) {
    Thread thread =
        new Thread(
            () -> {
              try {
                live.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    return thread;
  }

  /** Its stamp is its number. */
  private static Reading reading(long number) {
    Scan scan = new Scan(Pose.ORIGIN, -1, 1, 0.1, 8, new float[] {1, 2, 3});
    return new Reading(number, FakeService.pose(number), scan);
  }

  private void awaitOutcome(long number) {
    await().atMost(SOON).until(() -> heard.outcomes.containsKey(number));
  }

  /**
   * Offers readings from {@code first} on until one is answered in time, the first of a run.
   *
   * @return its number
   */
  private long offerUntilAnswered(Live live, long first) {
    AtomicLong number = new AtomicLong(first - 1);
    await()
        .atMost(SOON)
        .until(
            () -> {
              long next = number.incrementAndGet();
              live.offer(reading(next));
              awaitOutcome(next);
              return heard.outcomes.get(next).get(0) instanceof Outcome.Processed;
            });
    return number.get();
  }

  @Test
  void givesEachReadingOneOutcomeAndEndsWithTheMap() throws Exception {
    service.answersEverythingTwice().serve();
    Live live = live(broker.uri(), PATIENT_SECONDS);
    Thread run = run(live);
    for (long i = 1; i <= 50; i++) {
      live.offer(reading(i));
      awaitOutcome(i);
    }
    live.stop();
    run.join(SOON.toMillis());
    assertThat(heard.outcomes).hasSize(50).allSatisfy((i, each) -> assertThat(each).hasSize(1));
    assertThat(heard.path).hasSize(50);
    assertThat(heard.maps.get(0).cells()).isEqualTo(FakeService.MAP.cells());
  }

  @Test
  void keepsKeyFramesAndTheNewestReadingWithoutCredit() {
    service.neverAnswers(1).neverAnswers(2).serve();
    Live live = live(broker.uri(), PATIENT_SECONDS);
    run(live);
    for (long i = 1; i <= 2; i++) {
      long number = i;
      live.offer(reading(number));
      await().atMost(SOON).until(() -> service.received.size() == number);
    }
    live.offer(reading(3));
    live.offer(new Reading(4, FakeService.pose(3), reading(4).scan()));
    live.offer(new Reading(5, FakeService.pose(3), reading(5).scan()));
    live.offer(reading(6));
    assertThat(heard.leftOut)
        .containsOnly(Map.entry(4L, LeftOut.FILTER_BUSY), Map.entry(5L, LeftOut.FILTER_BUSY));
    assertThat(live.waiting()).isEqualTo(2);
    assertThat(service.received).hasSize(2);
  }

  @Test
  void beginsAnewWhenTheServiceHasLostTheFilter() {
    service.loses(3).serve();
    Live live = live(broker.uri(), PATIENT_SECONDS);
    run(live);
    for (long i = 1; i <= 5; i++) {
      live.offer(reading(i));
      awaitOutcome(i);
    }
    assertThat(heard.restarts).singleElement().asString().contains("a task died");
    assertThat(heard.outcomes.get(3L).get(0)).isInstanceOf(Outcome.Lost.class);
    assertThat(heard.outcomes.get(5L).get(0)).isInstanceOf(Outcome.Processed.class);
    assertThat(service.received).extracting(Envelope::sequence).containsExactly(1L, 2L, 3L, 1L, 2L);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(2);
  }

  @Test
  void beginsAnewWhenNoServiceAnswers() {
    Live live = live(broker.uri(), 1);
    run(live);
    live.offer(reading(1));
    awaitOutcome(1);
    assertThat(heard.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Lost.class);
    await().atMost(SOON).until(() -> !heard.restarts.isEmpty());
    assertThat(heard.restarts.get(0)).contains("is a service running at this broker?");
    service.serve();
    offerUntilAnswered(live, 2);
  }

  /** The service would forget a robot that charges for an hour. */
  @Test
  void showsThatARobotThatStandsStillIsThere() {
    service.serve();
    Live live = live(broker.uri(), 5);
    run(live);
    for (long i = 1; i <= 2; i++) {
      live.offer(reading(i));
      awaitOutcome(i);
    }
    await()
        .atMost(SOON)
        .until(() -> service.received.stream().filter(each -> each.sequence() == 2).count() >= 2);
    live.offer(reading(3));
    awaitOutcome(3);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(1);
    assertThat(service.received)
        .extracting(Envelope::sequence)
        .isSorted()
        .startsWith(1L)
        .containsSequence(2L, 2L)
        .endsWith(3L);
    assertThat(heard.outcomes).hasSize(3).allSatisfy((i, each) -> assertThat(each).hasSize(1));
    assertThat(heard.restarts).isEmpty();
  }

  @Test
  void saysWhatCameInPlaceOfAnswersWhenItBeginsAnew() {
    OutcomeMessage body = OutcomeMessage.now(new Outcome.Lost("nobody reads this"));
    byte[] future = new Codec(1 << 20).encode(new Envelope(robot, 1, 1, 1, body));
    future[4] = 99; // The version's first byte.
    Live live = live(broker.uri(), 3);
    Stranger.answers(broker.uri(), robot, future);
    run(live);
    live.offer(reading(1));
    awaitOutcome(1);
    await().atMost(SOON).until(() -> !heard.restarts.isEmpty());
    assertThat(heard.restarts.get(0))
        .startsWith("no answer for 3 s, but 1 message that was refused: ")
        .contains("another version of the protocol", "not " + Codec.VERSION)
        .doesNotContain("is a service running");
  }

  /** What was refused before the last answer did not keep the next one from coming. */
  @Test
  void forgetsWhatCameBeforeAnAnswer() {
    service.neverAnswers(2).serve();
    Live live = live(broker.uri(), 1);
    Stranger.answers(broker.uri(), robot, new byte[] {1});
    run(live);
    long answered = offerUntilAnswered(live, 1);
    heard.restarts.clear();
    live.offer(reading(answered + 1));
    await().atMost(SOON).until(() -> !heard.restarts.isEmpty());
    assertThat(heard.restarts.get(0))
        .isEqualTo("no answer for 1 s; is a service running at this broker?");
  }

  @Test
  void bearsAWireThatIsCut() throws Exception {
    service.serve();
    try (CutWire wire = new CutWire(URI.create(broker.uri()).getPort())) {
      int port = URI.create(broker.uri()).getPort();
      Live live = live(broker.uri().replace(":" + port, ":" + wire.port()), PATIENT_SECONDS);
      run(live);
      for (long i = 1; i <= 30; i++) {
        if (i % 10 == 0) {
          wire.cut();
        }
        live.offer(reading(i));
        awaitOutcome(i);
      }
    }
    assertThat(heard.outages).filteredOn(why -> why.contains("broke: ")).hasSizeBetween(2, 3);
    assertThat(heard.restarts).isEmpty();
    assertThat(heard.outcomes).hasSize(30);
    assertThat(service.taken).hasSize(30).allSatisfy((i, times) -> assertThat(times).isOne());
  }

  @Test
  void anOutageLongerThanTheAnswerTimeoutCostsNoMap() throws Exception {
    int port = URI.create(broker.uri()).getPort();
    int answerTimeoutSeconds = 5;
    try (CutWire wire = new CutWire(port)) {
      Live live = live(broker.uri().replace(":" + port, ":" + wire.port()), answerTimeoutSeconds);
      run(live);
      live.offer(reading(1));
      await().atMost(SOON).until(() -> live.waiting() == 0);
      wire.takeDown();
      await().atMost(SOON).until(() -> !heard.outages.isEmpty());
      long over = System.nanoTime() + (long) ((answerTimeoutSeconds + 0.5) * 1e9);
      await().atMost(SOON).until(() -> System.nanoTime() > over);
      service.serve();
      wire.mend();
      awaitOutcome(1);
    }
    assertThat(heard.restarts).isEmpty();
    assertThat(heard.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Processed.class);
  }

  @Test
  void sendsWhatWaitedInOrderOnceTheWireIsMended() throws Exception {
    service.serve();
    int port = URI.create(broker.uri()).getPort();
    try (CutWire wire = new CutWire(port)) {
      Live live = live(broker.uri().replace(":" + port, ":" + wire.port()), PATIENT_SECONDS);
      Thread run = run(live);
      live.offer(reading(1));
      awaitOutcome(1);
      wire.takeDown();
      await().atMost(SOON).until(() -> !heard.outages.isEmpty());
      for (long i = 2; i <= 500; i++) {
        live.offer(reading(i));
      }
      assertThat(live.waiting()).isEqualTo(499);
      wire.mend();
      awaitOutcome(500);
      live.stop();
      run.join(SOON.toMillis());
    }
    assertThat(heard.leftOut).isEmpty();
    assertThat(heard.restarts).isEmpty();
    assertThat(heard.path).extracting(PathPose::stampNanos).isSorted().hasSize(500);
  }

  /** Each answer is met by another reading, so that one waits at any time. */
  @Test
  void endsThoughTheRobotDrivesOnFasterThanTheServiceAnswers() throws Exception {
    service.serveSlowly(20);
    Live live = live(broker.uri(), PATIENT_SECONDS);
    long offered = 0;
    while (offered < 20) {
      live.offer(reading(++offered));
    }
    assertThat(live.waiting()).isEqualTo(20);
    Thread run = run(live);
    live.stop();
    long stopped = offered;
    while (run.isAlive() && offered < 20_000) {
      live.offer(reading(++offered));
      run.join(1);
    }
    run.join(SOON.toMillis());
    assertThat(heard.leftOut)
        .isNotEmpty()
        .allSatisfy(
            (stamp, why) -> {
              assertThat(stamp).isGreaterThan(stopped);
              assertThat(why).isEqualTo(LeftOut.GATEWAY_STOPPED);
            });
    assertThat(heard.path).extracting(PathPose::stampNanos).hasSize(20).isSorted();
    assertThat(heard.outcomes.size() + heard.leftOut.size()).isEqualTo((int) offered);
  }

  @Test
  void saysWhatIsMissingWhenARunCannotEndInTime() throws Exception {
    service.neverAnswers(1).serve();
    Live live = live(broker.uri(), 5);
    live.offer(reading(1));
    live.stop();
    Thread run = run(live);
    run.join(SOON.toMillis());
    assertThat(heard.brokenEnds)
        .containsExactly("no answer to reading 1 for 5 s; is a service running at this broker?");
    assertThat(heard.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Lost.class);
    assertThat(heard.path).as("it came all the same").hasSize(1);
  }

  /** What was mapped before is all there is. */
  @Test
  void saysThatItsRunWasLostWhenNothingIsLeftForAnother() throws Exception {
    service.loses(1).serve();
    Live live = live(broker.uri(), PATIENT_SECONDS);
    Thread run = run(live);
    live.offer(reading(1));
    await().atMost(SOON).until(() -> !heard.restarts.isEmpty());
    live.stop();
    run.join(SOON.toMillis());
    assertThat(heard.brokenEnds)
        .containsExactly(
            "nothing was sent since it began anew: the service lost a reading: a task died");
  }

  @Test
  void handsOverThePathOfARunThatTheServiceCouldNotEnd() throws Exception {
    service.cannotSendItsMapFor("the map is too large").serve();
    Live live = live(broker.uri(), PATIENT_SECONDS);
    Thread run = run(live);
    live.offer(reading(1));
    awaitOutcome(1);
    live.stop();
    run.join(SOON.toMillis());
    assertThat(heard.brokenEnds).containsExactly("the map is too large");
    assertThat(heard.path).hasSize(1);
  }

  @Test
  void endsAtOnceWhenStoppedBeforeTheFirstReading() throws Exception {
    Live live = live(broker.uri(), PATIENT_SECONDS);
    Thread run = run(live);
    live.stop();
    run.join(SOON.toMillis());
    assertThat(run.isAlive()).isFalse();
  }
}
