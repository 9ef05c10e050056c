package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SparseScanWarningTest {

  private static final int READINGS = 20;

  @TempDir private Path temp;

  private static Optional<String> notice(int... beams) {
    SparseScanWarning sparseScanWarning = new SparseScanWarning();
    List<LogEntry> log =
        IntStream.range(0, beams.length)
            .<LogEntry>mapToObj(i -> new LogEntry.Usable(i + 1, reading(i, beams[i])))
            .toList();
    assertThat(sparseScanWarning.watch(log.iterator())).toIterable().isEqualTo(log);
    return sparseScanWarning.notice();
  }

  private static Reading reading(int number, int beams) {
    Scan scan = new Scan(Pose.ORIGIN, 0, 0.01, 0.1, 8, new float[beams]);
    return new Reading(number, Pose.ORIGIN, scan);
  }

  @Test
  void saysThatMostScansHaveTooFewBeams() {
    assertThat(notice(11, 12, 1))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).startsWith("2 of 3 scans have fewer than 12 beams"));
  }

  @Test
  void saysNothingOfSomeScansThatWereCutShort() {
    assertThat(notice(180, 1)).isEmpty();
    assertThat(notice(12)).isEmpty();
    assertThat(notice()).isEmpty();
  }

  /** As of a distance sensor that looks ahead. */
  @Test
  void aReplaysReportHasANoteOnScansOfOneBeam() throws IOException {
    Lidar oneBeam = new Lidar(Pose.ORIGIN, 1, 0, 0.01, 0.05, 8, 0.01, 0.5);
    SimulatedLog.of(
            World.office(), Route.office(), SimulatedLog.SEED, oneBeam, SimulatedLog.Steps.USUAL)
        .write(temp, "one");
    RootSettings settings = Settings.build(RootSettings.class, Map.of("slam.particles", "5"));
    LogRun run =
        new LogRun(
            settings,
            Engine.Kind.SERIAL,
            Pace.MAX,
            new LogRun.Input(
                List.of(temp.resolve("one.clf")),
                READINGS,
                "one",
                Optional.empty(),
                Optional.empty()),
            temp.resolve("out"),
            Optional.empty(),
            CheckpointUse.OFF);
    assertThat(
            run.run(
                    scans -> GroundTruth.of(null, null),
                    new PrintWriter(Writer.nullWriter()),
                    new ShutdownRequest(),
                    List.of())
                .notices())
        .singleElement()
        .asString()
        .contains("as few as 1: ");
  }
}
