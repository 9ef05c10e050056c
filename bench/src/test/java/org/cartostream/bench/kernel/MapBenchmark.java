package org.cartostream.bench.kernel;

import java.util.concurrent.TimeUnit;
import org.cartostream.slam.map.MapCodec;
import org.cartostream.slam.map.TiledMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to enter scans into a map, and to send a map. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MapBenchmark {

  private TiledMap own;
  private byte[] encoded;

  /** Hits settle a cell in the long run; so each iteration begins with a fresh copy. */
  @Setup(Level.Iteration)
  public void copy(MappedOffice office) {
    encoded = MapCodec.encode(office.map, MapCodec.EVER);
    own = MapCodec.decode(encoded);
  }

  /** Nanoseconds per beam: entering a scan into a map that shares no tile. */
  @Benchmark
  @OperationsPerInvocation(MappedOffice.BEAMS)
  public TiledMap hit(MappedOffice office) {
    MappedOffice.View view = office.next();
    office.matcher.updateMap(own, view.beams(), view.pose());
    return own;
  }

  /** Nanoseconds per scan: a fresh copy of a map takes a scan in, and copies the tiles it hits. */
  @Benchmark
  public TiledMap forkAndUpdate(MappedOffice office) {
    MappedOffice.View view = office.next();
    TiledMap fork = office.map.fork();
    office.matcher.updateMap(fork, view.beams(), view.pose());
    return fork;
  }

  /** Nanoseconds per map. */
  @Benchmark
  public byte[] encode(MappedOffice office) {
    return MapCodec.encode(office.map, MapCodec.EVER);
  }

  /** Nanoseconds per map. */
  @Benchmark
  public TiledMap decode() {
    return MapCodec.decode(encoded);
  }
}
