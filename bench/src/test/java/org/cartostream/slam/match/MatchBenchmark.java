package org.cartostream.slam.match;

import java.util.concurrent.TimeUnit;
import org.cartostream.bench.kernel.MappedOffice;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.ScanTileCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to score a pose, and to match a scan. It lies in the matcher's package to reach the
 * parts that only the matcher uses.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MatchBenchmark {

  /** Places at which a turned scan is summed: the turn then hardly counts. */
  private static final int SHIFTS = 20;

  /** How far odometry is off in a step: 5 and 3 cm, 2 degrees. */
  private static final Pose ERROR = new Pose(0.05, -0.03, 0.035);

  /** What is known of it: a standard deviation of 5 cm and 0.03 radians. */
  private static final SymmetricMatrix3 INFORMATION = new SymmetricMatrix3(400, 0, 0, 400, 0, 1100);

  private final RotatedBeams rotatedBeams = new RotatedBeams();
  private final ScanTileCache scanTileCache = new ScanTileCache();
  private int[] kernel;

  @Setup
  public void kernel(MappedOffice office) {
    kernel =
        Kernel.gaussian(office.settings.matcher().kernelMetres(), office.settings.cellMetres());
  }

  /** Nanoseconds per beam: turning a scan, as for every heading that is tried. */
  @Benchmark
  @OperationsPerInvocation(MappedOffice.BEAMS)
  public RotatedBeams turn(MappedOffice office) {
    MappedOffice.View view = office.next();
    rotatedBeams.turn(view.beams(), view.pose().theta());
    return rotatedBeams;
  }

  /** Nanoseconds per beam: turning a scan and looking up its sum at one place. */
  @Benchmark
  @OperationsPerInvocation(MappedOffice.BEAMS)
  public long turnAndSum(MappedOffice office) {
    MappedOffice.View view = office.next();
    rotatedBeams.turn(view.beams(), view.pose().theta());
    int atX = (int) (view.pose().x() * office.unitsPerMetre);
    int atY = (int) (view.pose().y() * office.unitsPerMetre);
    scanTileCache.locate(
        office.map, rotatedBeams.x, rotatedBeams.y, rotatedBeams.count, atX, atY, 0);
    return scanTileCache.sum(kernel, rotatedBeams.x, rotatedBeams.y, rotatedBeams.count, atX, atY);
  }

  /** Nanoseconds per beam: looking up a turned scan's sum at another place. */
  @Benchmark
  @OperationsPerInvocation(MappedOffice.BEAMS * SHIFTS)
  public long sum(MappedOffice office) {
    MappedOffice.View view = office.next();
    rotatedBeams.turn(view.beams(), view.pose().theta());
    int atX = (int) (view.pose().x() * office.unitsPerMetre);
    int atY = (int) (view.pose().y() * office.unitsPerMetre);
    scanTileCache.locate(
        office.map, rotatedBeams.x, rotatedBeams.y, rotatedBeams.count, atX, atY, 0);
    long sum = 0;
    for (int i = 0; i < SHIFTS; i++) {
      int shift = (i - SHIFTS / 2) * 32;
      sum +=
          scanTileCache.sum(
              kernel, rotatedBeams.x, rotatedBeams.y, rotatedBeams.count, atX + shift, atY - shift);
    }
    return sum;
  }

  /** Nanoseconds per scan: a whole match from where odometry expects the robot. */
  @Benchmark
  public Match match(MappedOffice office) {
    MappedOffice.View view = office.next();
    Prior prior = new Prior(view.pose().then(ERROR), INFORMATION);
    return office.matcher.match(office.map, view.beams(), prior);
  }
}
