package org.cartostream.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.SkipReason;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SoakTableTest {

  private final StringWriter printed = new StringWriter();
  private final SoakTable table = new SoakTable(new PrintWriter(printed), 2);
  private final SoakStatistics soakStatistics = new SoakStatistics();

  private static WorkerMetrics.WorkerSample worker(int port, int megabytes, int waiting) {
    return new WorkerMetrics.WorkerSample(port, megabytes * 1_000_000L, waiting);
  }

  private void process(int readings, int millis) {
    for (int i = 0; i < readings; i++) {
      soakStatistics.read();
      soakStatistics.answered(
          new Outcome.Processed(new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 1), false, 0),
          TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  private List<String> columns(int row) {
    return List.of(printed.toString().lines().toList().get(row).strip().split("[ |]+"));
  }

  @Test
  void aMinuteHasItsOwnReadingsItsLowestHeapsAndTheMostThatWaited() {
    process(10, 40);
    table.observe(List.of(worker(1, 90, 3), worker(2, 80, 4)), 5);
    table.observe(List.of(worker(1, 70, 0), worker(2, 85, 1)), 6);
    table.printMinute(1, soakStatistics);
    process(3, 20);
    soakStatistics.read();
    soakStatistics.skipped(SkipReason.FILTER_BUSY);
    table.observe(List.of(worker(1, 99, 0), worker(2, 98, 0)), 0);
    table.printMinute(2, soakStatistics);

    assertThat(columns(0).subList(0, 7)).containsExactly("1", "10", "10", "0", "0", "0", "0");
    assertThat(columns(0).subList(10, 14)).containsExactly("7", "6", "70", "80");
    assertThat(columns(1).subList(0, 7)).containsExactly("2", "4", "3", "1", "0", "0", "0");
    assertThat(columns(1).subList(10, 14)).containsExactly("0", "0", "99", "98");
    assertThat(Double.parseDouble(columns(0).get(7))).isBetween(39.9, 40.1);
    assertThat(Double.parseDouble(columns(1).get(7))).isBetween(19.9, 20.1);
  }

  @Test
  void saysThatAWorkerShowsNothing() {
    table.observe(List.of(worker(1, 90, 0)), 0);
    table.printMinute(1, soakStatistics);
    assertThat(printed.toString().strip()).endsWith("90 (1 of 2 workers show theirs)");
  }

  @Test
  void theRateIsThatOfTheTimeInWhichRobotsReallyDrove() {
    process(300, 40);
    soakStatistics.read();
    soakStatistics.answered(new Outcome.Lost("a task died"), 0);
    soakStatistics.read();
    soakStatistics.latest();
    table.killed("here:6700: publisher");
    table.printTotals(soakStatistics, 4, 30);
    assertThat(printed.toString())
        .startsWith("       killed the worker at here:6700: publisher\n")
        .contains("4 robots, 0.5 min: 302 read = 300 processed + 0 refused + 0 skipped + 1 lost")
        .contains("(1 without an outcome)", "10.0 readings/s processed")
        .endsWith("; workers killed: 1\n");
  }
}
