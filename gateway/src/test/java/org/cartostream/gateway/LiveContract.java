package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.SOON;
import static org.cartostream.gateway.TestBroker.soon;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.Outcome;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.IntakeSettings;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What holds for a live robot over every broker. One class for each broker inherits it. */
@Timeout(60)
abstract class LiveContract {

  static final String GATEWAY = "gateway";
  static final String SERVICE = "fake service";

  /** A sixth of it is longer than a busy machine stands still; then readings are sent again. */
  static final int PATIENT_SECONDS = 60;

  @TempDir private Path folder;

  final String robot = "robot-" + UUID.randomUUID();
  final Heard heard = new Heard();
  private final List<Live> all = new ArrayList<>();
  FakeService service;

  abstract TestBroker broker();

  /** By which a live robot waits for answers. */
  abstract LongSupplier clock();

  @BeforeEach
  final void startService() {
    service = new FakeService(broker().open(SERVICE, BrokerListener.NONE));
  }

  @AfterEach
  final void stopAll() {
    all.forEach(Live::close);
    service.close();
  }

  final Live live() {
    Live live =
        Live.open(
            new Live.Robot(
                robot,
                new GatewaySettings(2, PATIENT_SECONDS, 50, 64),
                Settings.defaults(IntakeSettings.class),
                folder),
            heard,
            outages -> broker().open(GATEWAY, outages),
            clock());
    all.add(live);
    return live;
  }

  static Thread run(Live live) {
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
  static Reading reading(long number) {
    Scan scan = new Scan(Pose.ORIGIN, -1, 1, 0.1, 8, new float[] {1, 2, 3});
    return new Reading(number, FakeService.pose(number), scan);
  }

  final void awaitOutcome(long number) {
    soon().until(() -> heard.outcomes.containsKey(number));
  }

  /**
   * Offers readings from {@code first} on until one is answered in time, the first of a run.
   *
   * @return its number
   */
  final long offerUntilAnswered(Live live, long first) {
    AtomicLong number = new AtomicLong(first - 1);
    soon()
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
    Live live = live();
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
  void bearsAWireThatIsCut() {
    service.serve();
    Live live = live();
    run(live);
    for (long i = 1; i <= 30; i++) {
      if (i % 10 == 0) {
        broker().cut(GATEWAY);
      }
      live.offer(reading(i));
      awaitOutcome(i);
    }
    assertThat(heard.outages).filteredOn(why -> why.contains("broke: ")).hasSizeBetween(2, 3);
    assertThat(heard.restarts).isEmpty();
    assertThat(heard.outcomes).hasSize(30);
    assertThat(service.taken).hasSize(30).allSatisfy((i, times) -> assertThat(times).isOne());
  }

  @Test
  void sendsWhatWaitedInOrderOnceTheWireIsMended() throws Exception {
    service.serve();
    Live live = live();
    Thread run = run(live);
    live.offer(reading(1));
    awaitOutcome(1);
    broker().takeDown(GATEWAY);
    soon().until(() -> !heard.outages.isEmpty());
    for (long i = 2; i <= 500; i++) {
      live.offer(reading(i));
    }
    assertThat(live.waiting()).isEqualTo(499);
    broker().mend(GATEWAY);
    awaitOutcome(500);
    live.stop();
    run.join(SOON.toMillis());
    assertThat(heard.leftOut).isEmpty();
    assertThat(heard.restarts).isEmpty();
    assertThat(heard.path).extracting(PathPose::stampNanos).isSorted().hasSize(500);
  }
}
