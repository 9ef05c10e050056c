package org.cartostream.bench.faults;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;

/**
 * Writer of a log, and of what each {@link Fault} makes of it, as CARMEN files with their
 * references: {@code NAME.clf}, {@code NAME-wheel-slip.clf} and so on. {@code bench accuracy
 * --logs} takes such a folder.
 */
public final class FaultyLogWriter {

  /** Name of the simulated log with which faults are tried. */
  private static final String SIMULATED = "dead-ends";

  private final Path folder;
  private final long seed;
  private final PrintWriter out;

  /**
   * Creates the writer of logs into a folder.
   *
   * @param folder the folder; made if it is missing
   * @param seed seed of faults, and of a simulated drive
   * @param out receives lines on what was written, and what was left out
   */
  public FaultyLogWriter(Path folder, long seed, PrintWriter out) {
    this.folder = folder;
    this.seed = seed;
    this.out = out;
  }

  /** Writes a simulated drive, without a fault and with each. */
  public void writeSimulated() throws IOException {
    write(SIMULATED, SimulatedLog.of(World.office(), Route.deadEnds(), seed));
  }

  /**
   * Writes a log as each {@link DegradedLaser} would have recorded it, without a fault and with
   * each.
   */
  public void writeLesser(String name, Recording sound) throws IOException {
    for (DegradedLaser laser : DegradedLaser.values()) {
      write(name + "-" + name(laser), laser.applyTo(sound));
    }
  }

  /**
   * Writes a simulated drive of short steps with each {@link LaserModel}, without a fault and with
   * each.
   */
  public void writeLasers() throws IOException {
    for (LaserModel model : LaserModel.values()) {
      write(name(model), ofShortSteps(model, seed));
    }
  }

  /**
   * Returns the drive of {@link #SIMULATED} in short steps, as a robot with a certain laser records
   * it.
   */
  static Recording ofShortSteps(LaserModel model, long seed) {
    return SimulatedLog.of(
        World.office(), Route.deadEnds(), seed, model.lidar(), SimulatedLog.Steps.SHORT);
  }

  /** Writes a log, without a fault and with each. */
  public void write(String name, Recording sound) throws IOException {
    file(name, sound);
    for (Fault fault : Fault.values()) {
      String faulty = name + "-" + name(fault);
      try {
        file(faulty, fault.applyTo(sound, seed));
      } catch (Fault.TooShortException e) {
        out.println(faulty + " is left out: " + e.getMessage());
      }
    }
  }

  private static String name(Enum<?> of) {
    return of.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void file(String name, Recording recording) throws IOException {
    recording.write(Files.createDirectories(folder), name);
    out.printf(
        Locale.ROOT,
        "%s: %d readings, odometry alone %s%n",
        folder.resolve(name + ".clf"),
        recording.readings().size(),
        error(recording));
  }

  private static String error(Recording recording) {
    try {
      double metres = TrajectoryError.of(recording.odometry(), recording.reference()).rmseMetres();
      return String.format(Locale.ROOT, "%.2f m (ATE)", metres);
    } catch (EvaluationException e) {
      return "unmeasured: " + e.getMessage();
    }
  }
}
