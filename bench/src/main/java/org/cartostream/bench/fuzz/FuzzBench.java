package org.cartostream.bench.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Fuzzing of log readers: changes small logs at random, reads each, and collects what is wrong with
 * how it is read: a part that is lost without a word, an exception that is no sentence, more than
 * five seconds, or more than 512 MB. One seed gives the same changes.
 */
public final class FuzzBench {

  private static final long MAX_SECONDS = 5;
  private static final int SHOWN_FAULTS = 20;

  /**
   * Result of one log.
   *
   * @param log name of the log
   * @param files number of changed files that were made and read
   * @param faulty number of files that were not read as they should be
   * @param told number of files of which something untouched was not read, but the reader told how
   *     much is missing
   * @param slowestMillis longest time that a file took
   * @param faults first faults, for people
   */
  public record Result(
      String log, int files, int faulty, int told, double slowestMillis, List<String> faults) {}

  private final Path changed;

  /**
   * @param folder folder for the changed file
   */
  public FuzzBench(Path folder) {
    this.changed = folder.resolve("changed");
  }

  /**
   * Reads one log in many changed forms.
   *
   * @param times number of forms
   * @param stop ends the fuzzing early if it is true
   * @throws IOException if the log cannot be read, or is read wrong in its unchanged form
   */
  public Result run(Path file, int times, long seed, BooleanSupplier stop) throws IOException {
    FuzzInput log = FuzzInput.of(file);
    Random random = new Random(seed);
    List<String> faults = new ArrayList<>();
    int faulty = 0;
    int told = 0;
    int done = 0;
    long slowest = 0;
    ExecutorService reader = Executors.newSingleThreadExecutor(FuzzBench::daemon);
    try {
      String atFirst = fault(log, MutatedFile.whole(log.bytes()), reader);
      if (!atFirst.isEmpty()) {
        throw new IOException(file + " is not read right as it is: " + atFirst);
      }
      for (; done < times && !stop.getAsBoolean(); done++) {
        MutatedFile mutated = MutatedFile.of(log.bytes(), log.lengths(), random);
        long start = System.nanoTime();
        String fault = fault(log, mutated, reader);
        slowest = Math.max(slowest, System.nanoTime() - start);
        if (fault.equals(FuzzReader.TOLD)) {
          told++;
        } else if (!fault.isEmpty()) {
          faulty++;
          if (faults.size() < SHOWN_FAULTS) {
            faults.add(
                "%s, seed %d, file %d, %s: %s"
                    .formatted(log.name(), seed, done, mutated.what(), fault));
          }
        }
      }
    } finally {
      reader.shutdownNow();
    }
    return new Result(log.name(), done, faulty, told, slowest / 1e6, faults);
  }

  private String fault(FuzzInput log, MutatedFile mutated, ExecutorService reader)
      throws IOException {
    Files.write(changed, mutated.bytes());
    Future<String> fault = reader.submit(() -> FuzzReader.fault(log, mutated, changed));
    try {
      return fault.get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return "took more than " + MAX_SECONDS + " s";
    } catch (ExecutionException e) {
      return "threw " + e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "fuzz reader");
    thread.setDaemon(true);
    return thread;
  }
}
