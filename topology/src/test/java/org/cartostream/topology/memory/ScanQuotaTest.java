package org.cartostream.topology.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.memory.MemoryQuota.Verdict;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.TopologyRefusal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The scans of a run's key frames, which are kept until its end, have a share of their own. */
@Quick
class ScanQuotaTest {

  private static final int BEAMS = 10_000;

  /** Its ranges, and 68 bytes of other numbers. */
  private static final long SCAN_BYTES = 4 * BEAMS + 68;

  /** With the first that is more than a megabyte. */
  private static final long KEPT = (1 << 20) / SCAN_BYTES + 1;

  /** Its beams meet nothing, so that no map grows by them. */
  private static final Reading READING =
      new Reading(0, Pose.ORIGIN, new Scan(Pose.ORIGIN, -1, 1e-4, 0.1, 8, new float[BEAMS]));

  private final MemoryQuota quota = quota(true);

  private static MemoryQuota quota(boolean robotMakesMap) {
    ServiceSettings settings =
        new ServiceSettings(
            Settings.defaults(FilterSettings.class),
            BrokerSettings.defaults(),
            Settings.build(
                TopologySettings.class, Map.of("robotScanMegabytes", "1", "robotMegabytes", "40")));
    MemoryQuota quota = new MemoryQuota("r1", settings);
    quota.begin(MemoryQuota.Saved.NOTHING, robotMakesMap);
    return quota;
  }

  @AfterEach
  void close() {
    quota.close();
  }

  private static Verdict serve(MemoryQuota quota, long sequence) {
    Verdict verdict = quota.judge(sequence, READING, false);
    if (verdict == Verdict.ADMITTED) {
      quota.admit(sequence, READING.odometry(), READING.scan());
      quota.served(sequence, 0);
    }
    return verdict;
  }

  private void serveAll() {
    for (long sequence = 1; sequence <= KEPT; sequence++) {
      assertThat(serve(quota, sequence)).as("reading %d", sequence).isEqualTo(Verdict.ADMITTED);
    }
  }

  @Test
  void aRunWithMoreIsRefusedFromTheNextReadingOn() {
    serveAll();
    assertThat(serve(quota, KEPT + 1)).isEqualTo(Verdict.WAITS);
    assertThat(quota.isToBeStored()).isTrue();
    quota.act();

    assertThat(serve(quota, KEPT + 1)).isEqualTo(Verdict.REFUSED);
    assertThat(quota.why().refusal()).isEqualTo(TopologyRefusal.TOO_MANY_SCANS);
    assertThat(quota.why().detail())
        .isEqualTo("those before reading 28 take more than the 1 MB that are allowed");
  }

  @Test
  void aCheckpointHasThem() {
    serveAll();
    MemoryQuota.Saved saved = quota.save();
    assertThat(saved.scanBytes()).isEqualTo(KEPT * SCAN_BYTES);

    MemoryQuota next = quota(true);
    next.begin(saved, true);
    assertThat(serve(next, KEPT + 1)).isEqualTo(Verdict.WAITS);
    next.close();
  }

  /** What was answered was let in. */
  @Test
  void readingsThatWereAnsweredAreLetInAgain() {
    serveAll();
    quota.begin(quota.save(), true);
    assertThat(quota.judge(KEPT, READING, false)).isEqualTo(Verdict.ADMITTED);
  }

  @Test
  void aRobotThatIsLocalisedHasNone() {
    MemoryQuota localised = quota(false);
    for (long sequence = 1; sequence <= 2 * KEPT; sequence++) {
      assertThat(serve(localised, sequence)).isEqualTo(Verdict.ADMITTED);
    }
    localised.close();
  }

  /** Then they are in the publisher's heap. */
  @Test
  void thoseThatNoDiskTakesCountAsMapsDo() {
    assertThat(serve(quota, 1)).isEqualTo(Verdict.ADMITTED);
    long before = quota.bytes();
    quota.drawn(new Payload.MapMemoryUse(new Run("r1", 7, 1), 1, 1 << 20, 39 << 20));
    assertThat(quota.bytes()).isEqualTo(before + (41L << 20));
    assertThat(serve(quota, 2)).isEqualTo(Verdict.WAITS);
    assertThat(quota.why().refusal()).isEqualTo(TopologyRefusal.TOO_MUCH_MEMORY);
  }
}
