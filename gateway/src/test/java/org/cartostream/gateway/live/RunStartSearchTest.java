package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.SOON;
import static org.cartostream.gateway.TestBroker.soon;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.message.Envelope;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.TestBroker;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A live robot that is looked for before its run begins: its key frames wait for that. */
@Quick
@Timeout(60)
class RunStartSearchTest {

  private static final String ROBOT = "tb3";

  /** Readings of the run before. */
  private static final long BEFORE = 100;

  /** At its key frame with this number the robot is found. */
  private static final long FOUND = 7;

  @TempDir private Path folder;

  private final TestBroker broker = TestBroker.of(new InMemoryBroker());
  private final FakeService service = new FakeService(broker.open("service", BrokerListener.NONE));
  private final RecordingLiveListener listener = new RecordingLiveListener();
  private final List<LiveGateway> all = new ArrayList<>();
  private final List<Long> seen = new CopyOnWriteArrayList<>();
  private final List<Long> followed = new CopyOnWriteArrayList<>();
  private final List<Long> begun = new CopyOnWriteArrayList<>();

  @AfterEach
  void stopAll() {
    all.forEach(LiveGateway::close);
    service.close();
  }

  /** Up to this key frame it was where the map has no place. */
  private long outside;

  private final RunStartSearch search =
      new RunStartSearch() {
        @Override
        public String sentence() {
          return seen.size() < 3 ? "looking" : "still looking";
        }

        @Override
        public boolean isFoundAt(Reading keyFrame) {
          seen.add(keyFrame.stampNanos());
          return keyFrame.stampNanos() == FOUND;
        }

        @Override
        public boolean followBack(Reading keyFrame) {
          followed.add(keyFrame.stampNanos());
          return keyFrame.stampNanos() > outside;
        }

        @Override
        public void begin(long run) {
          assertThat(service.received).isEmpty();
          begun.add(run);
        }
      };

  private LiveGateway live(boolean resumes) {
    LiveGateway.Robot robot =
        new LiveGateway.Robot(
            ROBOT,
            new GatewaySettings(2, 60, 3, 64),
            Settings.defaults(ReadingFilterSettings.class),
            folder,
            Map.of("robot", ROBOT),
            resumes,
            Optional.empty(),
            Optional.empty(),
            RunBeginning.behind(BEFORE),
            Optional.of(search),
            Optional.empty());
    LiveGateway gateway =
        LiveGateway.open(
            robot, listener, outages -> broker.open("gateway", outages), System::nanoTime);
    all.add(gateway);
    return gateway;
  }

  /**
   * Each is a key frame, for it is 0.2 m further. The newest is none that waits before the next has
   * come.
   */
  private static void offer(LiveGateway gateway, long first, long last) {
    Scan scan = LiveGatewayContract.reading(0).scan();
    LongStream.rangeClosed(first, last)
        .forEach(number -> gateway.offer(new Reading(number, FakeService.pose(2 * number), scan)));
  }

  private void awaitOutcomes(long first, long last) {
    soon().until(() -> listener.outcomes.containsKey(last));
    assertThat(listener.outcomes.keySet())
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(first, last).boxed().toList());
  }

  /** More key frames wait than while a service is slow ({@code gateway.waitingKeyFrames}). */
  @Test
  void allThatItSawIsSentWhenItIsFound() {
    service.serve();
    LiveGateway gateway = live(false);
    LiveGatewayContract.run(gateway);
    offer(gateway, 1, FOUND);
    soon().until(() -> seen.size() == FOUND - 1);
    assertThat(service.received).isEmpty();
    offer(gateway, FOUND + 1, FOUND + 2);
    awaitOutcomes(1, FOUND + 2);
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(followed).containsExactly(7L, 6L, 5L, 4L, 3L, 2L, 1L);
    assertThat(service.received)
        .extracting(Envelope::sequence)
        .startsWith(BEFORE + 1)
        .endsWith(BEFORE + FOUND + 2);
    assertThat(service.received.stream().map(Envelope::run).distinct().toList()).isEqualTo(begun);
    assertThat(listener.silences).containsExactly("looking", "still looking");
    assertThat(listener.skipped).isEmpty();
  }

  /** Else a robot that came into the map from elsewhere would never have a run. */
  @Test
  void theRunBeginsWhereTheMapHasAPlaceAndWhatWasSeenBeforeIsSkipped() {
    outside = 3;
    service.serve();
    LiveGateway gateway = live(false);
    LiveGatewayContract.run(gateway);
    offer(gateway, 1, FOUND + 2);
    awaitOutcomes(outside + 1, FOUND + 2);
    assertThat(followed).containsExactly(7L, 6L, 5L, 4L, 3L);
    assertThat(service.received)
        .extracting(Envelope::sequence)
        .startsWith(BEFORE + 1)
        .endsWith(BEFORE + FOUND + 2 - outside);
    assertThat(listener.skipped)
        .containsOnlyKeys(1L, 2L, 3L)
        .containsValue(SkipReason.NO_PLACE_IN_MAP)
        .doesNotContainValue(SkipReason.GATEWAY_STOPPED);
  }

  @Test
  void noRunBeginsIfItIsStoppedBefore() throws Exception {
    service.serve();
    LiveGateway gateway = live(false);
    Thread run = LiveGatewayContract.run(gateway);
    offer(gateway, 1, 3);
    soon().until(() -> seen.size() == 2);
    gateway.stop();
    run.join(SOON.toMillis());
    assertThat(run.isAlive()).isFalse();
    assertThat(service.received).isEmpty();
    assertThat(begun).isEmpty();
    assertThat(listener.skipped)
        .containsOnlyKeys(1L, 2L, 3L)
        .containsValue(SkipReason.GATEWAY_STOPPED);
    assertThat(folder.resolve("checkpoint")).isEmptyDirectory();
  }

  /** By what it saw before it was killed, too. */
  @Test
  void itIsLookedForAgainWhenItsGatewayWasKilledBefore() throws Exception {
    service.serve();
    LiveGateway killed = live(false);
    Thread run = LiveGatewayContract.run(killed);
    offer(killed, 1, 4);
    soon().until(() -> seen.size() == 3);
    LiveGatewayContract.kill(killed, run, folder);
    seen.clear();
    LiveGateway gateway = live(true);
    LiveGatewayContract.run(gateway);
    soon().until(() -> seen.size() == 3);
    offer(gateway, 5, FOUND + 2);
    soon().until(() -> listener.outcomes.containsKey(FOUND + 2));
    assertThat(seen).containsExactly(1L, 2L, 3L, 5L, 6L, 7L);
    assertThat(followed).containsExactly(7L, 6L, 5L, 3L, 2L, 1L);
    assertThat(service.received.get(0).sequence()).isEqualTo(BEFORE + 1);
    assertThat(listener.resumed).containsExactly("100: 3 open, correction 0");
  }

  @Test
  void itIsNotLookedForWhenItWasFoundBefore() throws Exception {
    service.serve();
    LiveGateway killed = live(false);
    Thread run = LiveGatewayContract.run(killed);
    offer(killed, 1, FOUND + 1);
    awaitOutcomes(1, FOUND + 1);
    LiveGatewayContract.kill(killed, run, folder);
    seen.clear();
    LiveGateway gateway = live(true);
    LiveGatewayContract.run(gateway);
    offer(gateway, FOUND + 2, FOUND + 3);
    soon().until(() -> listener.outcomes.containsKey(FOUND + 3));
    assertThat(seen).isEmpty();
    assertThat(begun).hasSize(1);
    assertThat(listener.restarts).isEmpty();
  }
}
