package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.SOON;
import static org.cartostream.gateway.TestBroker.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.TestBroker;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What holds for a live robot over every broker. One class for each broker inherits it. */
@Timeout(60)
abstract class LiveGatewayContract {

  static final String GATEWAY = "gateway";
  static final String SERVICE = "fake service";

  /** A sixth of it is longer than a busy machine stands still; then readings are sent again. */
  static final int PATIENT_SECONDS = 60;

  @TempDir Path folder;

  String robot = "robot-" + UUID.randomUUID();

  /** What is other than usual in its gateway's settings for the broker. */
  Map<String, String> brokerSettings = Map.of();

  final RecordingLiveListener recordingLiveListener = new RecordingLiveListener();
  private final List<LiveGateway> all = new ArrayList<>();
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
    all.forEach(LiveGateway::close);
    service.close();
  }

  final LiveGateway live() {
    return live(false);
  }

  final LiveGateway live(boolean resumes) {
    LiveGateway liveGateway =
        LiveGateway.open(
            new LiveGateway.Robot(
                robot,
                new GatewaySettings(2, PATIENT_SECONDS, 50, 64),
                Settings.defaults(ReadingFilterSettings.class),
                folder,
                resumes),
            recordingLiveListener,
            outages ->
                broker().open(Settings.with(broker().settings(), brokerSettings), GATEWAY, outages),
            clock());
    all.add(liveGateway);
    return liveGateway;
  }

  static Thread run(LiveGateway liveGateway) {
    Thread thread =
        new Thread(
            () -> {
              try {
                liveGateway.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    return thread;
  }

  /** What stands on the disk now is what a process that is killed now leaves. */
  static void kill(LiveGateway liveGateway, Thread run, Path folder) throws Exception {
    Path left = Files.createDirectory(folder.resolveSibling(folder.getFileName() + "-left"));
    copy(folder, left);
    liveGateway.stop();
    liveGateway.stop();
    run.join(SOON.toMillis());
    liveGateway.close();
    copy(left, folder);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        Path copied = to.resolve(from.relativize(each));
        Files.createDirectories(copied.getParent());
        try {
          Files.copy(each, copied, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
          // It was not whole, and has its name now, or another has taken its place.
        }
      }
    }
  }

  /** Its stamp is its number. */
  static Reading reading(long number) {
    Scan scan = new Scan(Pose.ORIGIN, -1, 1, 0.1, 8, new float[] {1, 2, 3});
    return new Reading(number, FakeService.pose(number), scan);
  }

  final void awaitOutcome(long number) {
    soon().until(() -> recordingLiveListener.outcomes.containsKey(number));
  }

  /**
   * Offers readings from {@code first} on until one is answered in time, the first of a run.
   *
   * @return its number
   */
  final long offerUntilAnswered(LiveGateway liveGateway, long first) {
    AtomicLong number = new AtomicLong(first - 1);
    soon()
        .until(
            () -> {
              long next = number.incrementAndGet();
              liveGateway.offer(reading(next));
              awaitOutcome(next);
              return recordingLiveListener.outcomes.get(next).get(0) instanceof Outcome.Processed;
            });
    return number.get();
  }

  @Test
  void givesEachReadingOneOutcomeAndEndsWithTheMap() throws Exception {
    service.answersEverythingTwice().serve();
    LiveGateway liveGateway = live();
    Thread run = run(liveGateway);
    for (long i = 1; i <= 50; i++) {
      liveGateway.offer(reading(i));
      awaitOutcome(i);
    }
    liveGateway.stop();
    run.join(SOON.toMillis());
    assertThat(recordingLiveListener.outcomes)
        .hasSize(50)
        .allSatisfy((i, each) -> assertThat(each).hasSize(1));
    assertThat(recordingLiveListener.path).hasSize(50);
    assertThat(recordingLiveListener.maps.get(0).cells()).isEqualTo(FakeService.MAP.cells());
  }

  @Test
  void bearsAWireThatIsCut() {
    service.serve();
    LiveGateway liveGateway = live();
    run(liveGateway);
    for (long i = 1; i <= 30; i++) {
      if (i % 10 == 0) {
        broker().cut(GATEWAY);
      }
      liveGateway.offer(reading(i));
      awaitOutcome(i);
    }
    assertThat(recordingLiveListener.outages)
        .filteredOn(why -> why.contains("broke: "))
        .hasSizeBetween(2, 3);
    assertThat(recordingLiveListener.restarts).isEmpty();
    assertThat(recordingLiveListener.outcomes).hasSize(30);
    assertThat(service.taken).hasSize(30).allSatisfy((i, times) -> assertThat(times).isOne());
  }

  @Test
  void sendsWhatWaitedInOrderOnceTheWireIsMended() throws Exception {
    service.serve();
    LiveGateway liveGateway = live();
    Thread run = run(liveGateway);
    liveGateway.offer(reading(1));
    awaitOutcome(1);
    broker().takeDown(GATEWAY);
    soon().until(() -> !recordingLiveListener.outages.isEmpty());
    for (long i = 2; i <= 500; i++) {
      liveGateway.offer(reading(i));
    }
    assertThat(liveGateway.waiting()).isEqualTo(499);
    broker().mend(GATEWAY);
    awaitOutcome(500);
    liveGateway.stop();
    run.join(SOON.toMillis());
    assertThat(recordingLiveListener.skipped).isEmpty();
    assertThat(recordingLiveListener.restarts).isEmpty();
    assertThat(recordingLiveListener.path).extracting(PathPose::stampNanos).isSorted().hasSize(500);
  }
}
