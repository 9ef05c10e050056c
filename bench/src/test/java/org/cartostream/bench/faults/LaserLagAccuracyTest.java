package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.cli.Cartostream;
import org.cartostream.ros.bag.McapWriter;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.run.report.RunReport;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A laser whose stamps lag, or seem to. */
@Nightly(computes = true)
class LaserLagAccuracyTest {

  private static final long SEED = 1;

  /** What is found by the end of a log, seconds. */
  private static double found(List<Reading> readings) {
    ReadingFilter filter = new ReadingFilter(Settings.defaults(FilterSettings.class));
    double lag = 0;
    for (int i = 0; i < readings.size(); i++) {
      if (filter.decide(i + 1, readings.get(i)) instanceof ReadingFilter.Decision.Accept accept) {
        lag = accept.step().lagSeconds();
      }
    }
    return lag;
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.5, -0.2, 0.2, 0.3, 0.5})
  void isFoundOnADriveOfMinutes(double seconds) {
    assertThat(found(LaggedDrive.of(Route.office(), SEED).readings(seconds)))
        .isCloseTo(seconds, within(0.05));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void isNotFoundWhereThereIsNone(long seed) {
    assertThat(found(LaggedDrive.of(Route.office(), seed).readings(0))).isZero();
  }

  /** Odometry that is late for ten readings among them. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void otherFaultsAreNotTakenForIt(Fault fault) {
    Recording sound = SimulatedLog.of(World.office(), Route.deadEnds(), SEED);
    assertThat(found(fault.applyTo(sound, SEED).readings())).isZero();
  }

  // --- the whole command -------------------------------------------------------------------------

  @TempDir private Path folder;

  /** As it is recorded: odometry at each moment, and scans that are stamped late. */
  private Path recorded(LaggedDrive drive, double lateSeconds) throws IOException {
    SortedMap<Long, TfMessage> transforms = new TreeMap<>();
    for (int moment = 0; moment < LaggedDrive.MOMENTS_A_SCAN; moment++) {
      for (Reading each : drive.readings(moment * LaggedDrive.MOMENT_SECONDS)) {
        transforms.put(each.stampNanos(), new TfMessage(List.of(transform(each))));
      }
    }
    SortedMap<Long, LaserScan> scans = new TreeMap<>();
    for (Reading each : drive.readings(0)) {
      long stamp = each.stampNanos() + Math.round(lateSeconds * 1e9);
      scans.put(stamp, message(stamp, each.scan()));
    }
    Path file = folder.resolve(lateSeconds + ".mcap");
    try (McapWriter out = McapWriter.create(file, "test")) {
      McapWriter.Channel tf = out.topic("/tf", TfMessage.TYPE, TopicQos.RELIABLE);
      McapWriter.Channel scan = out.topic("/scan", LaserScan.TYPE, TopicQos.RELIABLE);
      for (Map.Entry<Long, TfMessage> each : transforms.entrySet()) {
        out.write(tf, each.getKey(), TfMessage.TYPE.encodeCdr(each.getValue()));
        SortedMap<Long, LaserScan> before = scans.headMap(each.getKey() + 1);
        for (Map.Entry<Long, LaserScan> due : before.entrySet()) {
          out.write(scan, due.getKey(), LaserScan.TYPE.encodeCdr(due.getValue()));
        }
        before.clear();
      }
    }
    return file;
  }

  private static TransformStamped transform(Reading reading) {
    Pose pose = reading.odometry();
    double half = pose.theta() / 2;
    return new TransformStamped(
        new Header(0, reading.stampNanos(), "odom"),
        "base_link",
        new Transform(
            new Vector3(pose.x(), pose.y(), 0),
            new Quaternion(0, 0, Math.sin(half), Math.cos(half))));
  }

  private static LaserScan message(long stamp, Scan scan) {
    return new LaserScan(
        new Header(0, stamp, "base_link"),
        (float) scan.startAngle(),
        (float) (scan.startAngle() + (scan.beams() - 1) * scan.angleStep()),
        (float) scan.angleStep(),
        0,
        0,
        (float) scan.minRange(),
        (float) scan.maxRange(),
        scan.ranges(),
        new float[0]);
  }

  private double ate(LaggedDrive drive, double lateSeconds, String said) throws IOException {
    Path truth = folder.resolve("truth.tum");
    TumFile.write(truth, drive.recording(0).reference());
    Path out = folder.resolve("out-" + lateSeconds);
    Cartostream run =
        Cartostream.run(
            "replay",
            "--engine",
            "serial",
            recorded(drive, lateSeconds),
            "--particles",
            20,
            "--reference",
            truth,
            "--out",
            out);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains(said);
    double ate =
        RunReport.json()
            .readTree(out.resolve(RunReport.FILE).toFile())
            .at("/accuracy/ateMetres")
            .asDouble(9);
    System.out.printf("%.2f s late: ATE %.4f m%n%s%n", lateSeconds, ate, run.out());
    return ate;
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.3, 0.2, 0.35, 0.5})
  void scansThatAreStampedLateAreMappedAsIfTheyWereNot(double seconds) throws IOException {
    LaggedDrive drive = LaggedDrive.of(Route.office(), SEED);
    double sound = ate(drive, 0, "processed");
    double late = ate(drive, seconds, "put right, as --set ros.laserLagSeconds=");
    assertThat(late).isLessThan(1.5 * sound);
  }
}
