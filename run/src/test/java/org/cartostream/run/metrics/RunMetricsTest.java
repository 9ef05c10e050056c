package org.cartostream.run.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Iterator;
import java.util.List;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;

@Quick
class RunMetricsTest {

  private long nanos;

  private static Outcome processed(double x, long millis) {
    return processed(x, false, millis);
  }

  private static Outcome processed(double x, boolean searched, long millis) {
    return new Outcome.Processed(
        new RobotPose(new Pose(x, 0, 0), Correction.NONE, 12.5, 2.5), searched, millis * 1_000_000);
  }

  private static LogEntry.Usable taken(int line) {
    return new LogEntry.Usable(line, LivePathTest.reading(line, line));
  }

  private static LogEntry refused(int line) {
    return new LogEntry.Refused(line, ReadingRefusal.NO_BEAMS.because("line " + line));
  }

  @Test
  void everyReadingHasOneFate() {
    RunMetrics runMetrics = new RunMetrics(4, () -> nanos, RunObserver.NONE);
    LogEntry.Usable first = taken(1);
    LogEntry.Usable third = taken(3);
    Iterator<LogEntry> log =
        runMetrics.watch(List.of(first, refused(2), third, refused(4)).iterator());
    log.next();
    runMetrics.record(first.reading(), processed(0, 10));
    log.next();
    log.next();
    assertThat(runMetrics.snapshot().readings()).isEqualTo(new ReadingCounts(3, 1, 1, 0, 0));
    assertThat(runMetrics.snapshot().readings().open()).isPositive();
    runMetrics.record(third.reading(), new Outcome.Lost("the task died"));
    log.next();
    assertThat(runMetrics.snapshot().readings()).isEqualTo(new ReadingCounts(4, 1, 2, 0, 1));
    assertThat(runMetrics.snapshot().readings().open()).isZero();
  }

  @Test
  void readsNoMoreScansThanAskedFor() {
    RunMetrics runMetrics = new RunMetrics(1, () -> nanos, RunObserver.NONE);
    Iterator<LogEntry> log = runMetrics.watch(List.<LogEntry>of(taken(1), taken(2)).iterator());
    log.next();
    assertThat(log.hasNext()).isFalse();
    assertThat(runMetrics.snapshot().readings().read()).isEqualTo(1);
  }

  @Test
  void countsRefusalsByReasonAndKeepsTheFirstSentence() {
    RunMetrics runMetrics = new RunMetrics(2, () -> nanos, RunObserver.NONE);
    runMetrics.watch(List.of(refused(7), refused(9)).iterator()).forEachRemaining(entry -> {});
    assertThat(runMetrics.refusals()).containsOnlyKeys("NO_BEAMS");
    assertThat(runMetrics.refusals().get("NO_BEAMS").count()).isEqualTo(2);
    assertThat(runMetrics.refusals().get("NO_BEAMS").first()).contains("line 7");
  }

  @Test
  void addsUpDistanceAndTimes() {
    RunMetrics runMetrics = new RunMetrics(4, () -> nanos, RunObserver.NONE);
    List<LogEntry.Usable> log = List.of(taken(1), taken(2), taken(3), taken(4));
    runMetrics.watch(List.<LogEntry>copyOf(log).iterator()).forEachRemaining(entry -> {});
    nanos = 5_010_000_000L; // taken by the filter 10 ms ago, whatever the start took
    runMetrics.record(log.get(0).reading(), processed(0, 10));
    nanos = 7_000_000_000L;
    runMetrics.record(log.get(1).reading(), processed(3, 20));
    runMetrics.record(log.get(2).reading(), processed(1, 30));
    runMetrics.record(log.get(3).reading(), processed(1, true, 40));
    nanos = 9_000_000_000L;
    RunMetrics.Snapshot now = runMetrics.snapshot();
    assertThat(now.distanceMetres()).isEqualTo(5);
    assertThat(now.effectiveSampleSize()).isEqualTo(12.5);
    assertThat(now.seconds()).as("the clock stands still after the last answer").isEqualTo(2);
    assertThat(now.rate()).isEqualTo(2);
    assertThat(runMetrics.millis().mean()).isCloseTo(25, within(0.1));
    assertThat(runMetrics.millis().p50()).isCloseTo(20, within(0.1));
    assertThat(runMetrics.millis().p99()).isCloseTo(40, within(0.1));
    assertThat(runMetrics.millisTrusted().p99()).isCloseTo(30, within(0.1));
    assertThat(runMetrics.millisSearched().mean()).isCloseTo(40, within(0.1));
  }

  /** The map moves below a robot that stands. */
  @Test
  void aCorrectionIsNoMetreDriven() {
    RunMetrics runMetrics = new RunMetrics(2, () -> nanos, RunObserver.NONE);
    List<LogEntry.Usable> log = List.of(taken(1), taken(2));
    runMetrics.watch(List.<LogEntry>copyOf(log).iterator()).forEachRemaining(entry -> {});
    runMetrics.record(log.get(0).reading(), processed(0, 10));
    Correction loop = new Correction(1, new Pose(3, 0, 0), 3);
    runMetrics.record(
        log.get(1).reading(),
        new Outcome.Processed(new RobotPose(new Pose(1, 0, 0), loop, 1, 0), false, 0));
    assertThat(runMetrics.snapshot().distanceMetres()).isEqualTo(1);
  }

  @Test
  void theProgressLineSaysHowFarHowFastAndHowLong() {
    RunMetrics.Snapshot now =
        new RunMetrics.Snapshot(200, new ReadingCounts(52, 48, 2, 0, 0), 31.24, 123.4, 25, "");
    assertThat(ProgressLine.text(now))
        .isEqualTo("[#####...............] 50/200  2.0/s  left 1:15  Neff 31.2  123 m");
  }

  @Test
  void theProgressLineSaysWhatIsDoneBeforeTheFirstReading() {
    RunMetrics.Snapshot now =
        new RunMetrics.Snapshot(
            200, new ReadingCounts(0, 0, 0, 0, 0), Double.NaN, 0, 0, "Storm starts");
    assertThat(ProgressLine.text(now)).isEqualTo("Storm starts");
  }
}
