package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Iterator;
import java.util.List;
import org.cartostream.broker.Outcome;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private static final Reading READING =
      new Reading(0, Pose.ORIGIN, new Scan(Pose.ORIGIN, 0, 0.1, 0, 10, new float[] {1}));

  private long nanos;

  private static Outcome processed(double x, long millis) {
    return processed(x, false, millis);
  }

  private static Outcome processed(double x, boolean searched, long millis) {
    return new Outcome.Processed(new Pose(x, 0, 0), 12.5, 2.5, searched, millis * 1_000_000);
  }

  private static LogEntry taken(int line) {
    return new LogEntry.Taken(line, READING);
  }

  private static LogEntry refused(int line) {
    return new LogEntry.Refused(line, ReadingRefusal.NO_BEAMS.because("line " + line));
  }

  @Test
  void everyReadingHasOneFate() {
    Ledger ledger = new Ledger(4, () -> nanos);
    Iterator<LogEntry> log =
        ledger.watch(List.of(taken(1), refused(2), taken(3), refused(4)).iterator());
    log.next();
    ledger.enter(processed(0, 10));
    log.next();
    log.next();
    assertThat(ledger.snapshot().readings()).isEqualTo(new ReadingCounts(3, 1, 1, 0, 0));
    assertThat(ledger.snapshot().readings().open()).isPositive();
    ledger.enter(new Outcome.Lost("the task died"));
    log.next();
    assertThat(ledger.snapshot().readings()).isEqualTo(new ReadingCounts(4, 1, 2, 0, 1));
    assertThat(ledger.snapshot().readings().open()).isZero();
  }

  @Test
  void readsNoMoreScansThanAskedFor() {
    Ledger ledger = new Ledger(1, () -> nanos);
    Iterator<LogEntry> log = ledger.watch(List.of(taken(1), taken(2)).iterator());
    log.next();
    assertThat(log.hasNext()).isFalse();
    assertThat(ledger.snapshot().readings().read()).isEqualTo(1);
  }

  @Test
  void countsRefusalsByReasonAndKeepsTheFirstSentence() {
    Ledger ledger = new Ledger(2, () -> nanos);
    ledger.watch(List.of(refused(7), refused(9)).iterator()).forEachRemaining(entry -> {});
    assertThat(ledger.refusals()).containsOnlyKeys("NO_BEAMS");
    assertThat(ledger.refusals().get("NO_BEAMS").count()).isEqualTo(2);
    assertThat(ledger.refusals().get("NO_BEAMS").first()).contains("line 7");
  }

  @Test
  void addsUpDistanceAndTimes() {
    Ledger ledger = new Ledger(4, () -> nanos);
    ledger
        .watch(List.of(taken(1), taken(2), taken(3), taken(4)).iterator())
        .forEachRemaining(entry -> {});
    nanos = 5_010_000_000L; // taken by the filter 10 ms ago, whatever the start took
    ledger.enter(processed(0, 10));
    nanos = 7_000_000_000L;
    ledger.enter(processed(3, 20));
    ledger.enter(processed(1, 30));
    ledger.enter(processed(1, true, 40));
    nanos = 9_000_000_000L;
    Ledger.Snapshot now = ledger.snapshot();
    assertThat(now.distanceMetres()).isEqualTo(5);
    assertThat(now.effectiveSampleSize()).isEqualTo(12.5);
    assertThat(now.seconds()).as("the clock stands still after the last answer").isEqualTo(2);
    assertThat(now.rate()).isEqualTo(2);
    assertThat(ledger.millis().mean()).isCloseTo(25, within(0.1));
    assertThat(ledger.millis().p50()).isCloseTo(20, within(0.1));
    assertThat(ledger.millis().p99()).isCloseTo(40, within(0.1));
    assertThat(ledger.millisTrusted().p99()).isCloseTo(30, within(0.1));
    assertThat(ledger.millisSearched().mean()).isCloseTo(40, within(0.1));
  }

  @Test
  void theProgressLineSaysHowFarHowFastAndHowLong() {
    Ledger.Snapshot now =
        new Ledger.Snapshot(200, new ReadingCounts(52, 48, 2, 0, 0), 31.24, 123.4, 25, "");
    assertThat(ProgressLine.text(now))
        .isEqualTo("[#####...............] 50/200  2.0/s  left 1:15  Neff 31.2  123 m");
  }

  @Test
  void theProgressLineSaysWhatIsDoneBeforeTheFirstReading() {
    Ledger.Snapshot now =
        new Ledger.Snapshot(
            200, new ReadingCounts(0, 0, 0, 0, 0), Double.NaN, 0, 0, "Storm starts");
    assertThat(ProgressLine.text(now)).isEqualTo("Storm starts");
  }
}
