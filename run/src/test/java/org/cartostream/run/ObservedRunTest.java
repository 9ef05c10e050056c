package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class ObservedRunTest {

  private static final int READINGS = 40;

  @TempDir private Path temp;

  /** Notes what it is told. */
  private static final class Notes implements RunObserver {

    private final List<String> calls = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>();
    private final List<ParticlesMessage> clouds = new ArrayList<>();
    private OccupancyGrid mapAtTheEnd;
    private List<PathPose> path;

    @Override
    public void begin(String robot, long scans) {
      calls.add("begin " + robot + " " + scans);
    }

    @Override
    public void outcome(long number, Reading reading, Outcome outcome) {
      calls.add("outcome");
      numbers.add(number);
    }

    @Override
    public void map(OccupancyGrid map, int correction, long stampNanos) {
      calls.add("map " + correction);
    }

    @Override
    public void particles(ParticlesMessage newest, long stampNanos) {
      clouds.add(newest);
    }

    @Override
    public void result(OccupancyGrid map, List<PathPose> whole) {
      calls.add("result");
      mapAtTheEnd = map;
      path = whole;
    }

    @Override
    public void end(String failure) {
      calls.add("end " + failure);
    }
  }

  private Path run(String name, List<RunObserver> observers) {
    Path folder = temp.resolve(name);
    RootSettings settings =
        Settings.build(
            RootSettings.class, Map.of("slam.particles", "5", "checkpoint.everySeconds", "1e-9"));
    new LogRun(
            settings,
            Engine.Kind.SERIAL,
            Pace.MAX,
            new LogRun.Input(
                List.of(Logs.OFFICE), READINGS, "office", Optional.empty(), Optional.empty()),
            folder,
            Optional.empty(),
            CheckpointUse.WRITE)
        .run(
            scans -> GroundTruth.of(null, null),
            new PrintWriter(Writer.nullWriter()),
            new ShutdownRequest(),
            observers);
    return folder;
  }

  @Test
  void itIsToldAllInOrder() throws IOException {
    Notes notes = new Notes();
    Path folder = run("watched", List.of(notes));
    assertThat(notes.calls.subList(0, 3)).containsExactly("begin office 40", "outcome", "map 0");
    assertThat(notes.numbers)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 40).boxed().toList());
    assertThat(notes.calls).endsWith("result", "end ");
    assertThat(notes.path.stream().map(each -> new StampedPose(each.stampNanos(), each.pose())))
        .hasSameSizeAs(TumFile.read(folder.resolve("trajectory.tum")));
    MapFiles.write(notes.mapAtTheEnd, temp.resolve("told"));
    assertThat(temp.resolve("told/map.pgm")).hasSameBinaryContentAs(folder.resolve("map.pgm"));
  }

  /** By the count of readings, and not by time: two runs tell the same. */
  @Test
  void itIsToldWhereTheParticlesAreEachTenReadings() {
    Notes notes = new Notes();
    Notes again = new Notes();
    run("watched", List.of(notes));
    run("again", List.of(again));
    assertThat(notes.clouds).hasSizeBetween(3, 4).isEqualTo(again.clouds);
    assertThat(notes.clouds).allMatch(each -> each.poses().size() == 5);
    assertThat(notes.clouds).allMatch(each -> each.tasks().equals(List.of(0, 0, 0, 0, 0)));
  }

  @Test
  void aRunLeavesTheSameBytesWithAndWithout() throws IOException {
    Map<String, String> alone = files(run("alone", List.of()));
    Map<String, String> watched =
        files(
            run(
                "watched",
                List.of(
                    new Notes(),
                    new RunObserver() {
                      @Override
                      public void outcome(long number, Reading reading, Outcome outcome) {
                        throw new IllegalStateException("this observer is broken");
                      }
                    })));
    assertThat(alone).containsKeys("map.pgm", "trajectory.tum", "live.tum");
    assertThat(watched).containsExactlyEntriesOf(alone);
  }

  /** What is in the files, but in those that have times in them. */
  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        String name = each.getFileName().toString();
        if (!Set.of("report.json", "run.state").contains(name)) {
          files.put(name, sha256(Files.readAllBytes(each)));
        }
      }
    }
    return files;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
