package org.cartostream.sim.log;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.cartostream.sim.robot.LaserModel;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;

/**
 * Writes a log and what each {@link Fault} makes of it as CARMEN files with their references:
 * {@code NAME.clf}, {@code NAME-wheel-slip.clf} and so on. {@code bench accuracy --logs} takes such
 * a folder.
 */
public final class FaultyLogs {

  /** The simulated robot's log with which faults are tried. */
  public static final String SIMULATED = "dead-ends";

  private static final String LASERS = "lasers";
  private static final String LESSER = "lesser";

  private final Path folder;
  private final long seed;
  private final PrintStream out;

  private FaultyLogs(Path folder, long seed, PrintStream out) {
    this.folder = folder;
    this.seed = seed;
    this.out = out;
  }

  /**
   * Exits with 0 when all is written, 1 if something cannot be, 2 if it is not asked for rightly.
   */
  public static void main(String[] arguments) {
    int exitCode = run(arguments, System.out, System.err);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  /** Runs the command with the given streams, and returns its exit code. */
  static int run(String[] arguments, PrintStream out, PrintStream err) {
    if (!isComplete(arguments)) {
      err.println(
          """
          usage: FaultyLogs FOLDER SEED [LOG REFERENCE.tum [READINGS]]
                 FaultyLogs FOLDER SEED lasers
                 FaultyLogs FOLDER SEED lesser LOG REFERENCE.tum
          writes LOG (default: a simulated one), or its first READINGS; or a simulated one of short
          steps for each laser that robots have; or LOG as lasers would have recorded it that see
          less; sound, and with each fault\
          """);
      return 2;
    }
    try {
      write(arguments, out);
      return 0;
    } catch (NumberFormatException e) {
      err.println(
          "FaultyLogs: SEED and READINGS are whole numbers, READINGS from 1 on; " + e.getMessage());
      return 2;
    } catch (FileSystemException e) {
      String reason = e instanceof NoSuchFileException ? "there is no such file" : e.getReason();
      err.println("FaultyLogs: " + e.getFile() + ": " + reason);
      return 1;
    } catch (IOException e) {
      err.println("FaultyLogs: " + e.getMessage());
      return 1;
    }
  }

  private static boolean isComplete(String[] arguments) {
    String what = arguments.length < 3 ? "" : arguments[2];
    boolean lasers = what.equals(LASERS);
    boolean lesser = what.equals(LESSER);
    return switch (arguments.length) {
      case 2 -> true;
      case 3 -> lasers;
      case 4 -> !lasers && !lesser;
      case 5 -> !lasers;
      default -> false;
    };
  }

  private static void write(String[] arguments, PrintStream out) throws IOException {
    long seed = Long.parseLong(arguments[1]);
    FaultyLogs logs = new FaultyLogs(Path.of(arguments[0]), seed, out);
    if (arguments.length == 2) {
      logs.write(SIMULATED, SimulatedLog.of(World.office(), Route.deadEnds(), seed));
    } else if (arguments[2].equals(LASERS)) {
      logs.writeLasers();
    } else if (arguments[2].equals(LESSER)) {
      Path log = Path.of(arguments[3]);
      logs.writeLesser(name(log), Recording.read(log, Path.of(arguments[4])));
    } else {
      Path log = Path.of(arguments[2]);
      int readings = arguments.length == 5 ? number(arguments[4]) : Integer.MAX_VALUE;
      logs.write(name(log), Recording.read(log, Path.of(arguments[3])).first(readings));
    }
  }

  private static int number(String text) {
    int number = Integer.parseInt(text);
    if (number < 1) {
      throw new NumberFormatException("not \"" + text + "\"");
    }
    return number;
  }

  private static String name(Path log) {
    return log.getFileName().toString().replaceFirst("\\.[^.]+(\\.(gz|zip))?$", "");
  }

  private void writeLesser(String name, Recording sound) throws IOException {
    for (DegradedLaser laser : DegradedLaser.values()) {
      write(name + "-" + name(laser), sound.withLaser(laser));
    }
  }

  private void writeLasers() throws IOException {
    for (LaserModel model : LaserModel.values()) {
      write(name(model), ofShortSteps(model, seed));
    }
  }

  /** The drive of {@link #SIMULATED}, as a robot with that laser records it. */
  static Recording ofShortSteps(LaserModel model, long seed) {
    return SimulatedLog.of(
        World.office(), Route.deadEnds(), seed, model.lidar(), SimulatedLog.Steps.SHORT);
  }

  private void write(String name, Recording sound) throws IOException {
    file(name, sound);
    for (Fault fault : Fault.values()) {
      String faulty = name + "-" + name(fault);
      try {
        file(faulty, sound.withFault(fault, seed));
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
