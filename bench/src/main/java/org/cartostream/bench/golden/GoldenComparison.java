package org.cartostream.bench.golden;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Comparison of the answers of all engines with a golden file: runs its cases by every engine,
 * three side by side, and prints whether their answers are the frozen ones.
 *
 * @param file file of the cases and their hashes
 * @param freeze true if the answers must be frozen, for which all engines must agree
 * @param folder folder for each run's files
 * @param out receives the table and a sentence for each difference
 * @param progress receives a line for each run
 * @param shutdownRequest ends the comparison early, without a result
 */
public record GoldenComparison(
    Path file,
    boolean freeze,
    Path folder,
    PrintWriter out,
    PrintWriter progress,
    ShutdownRequest shutdownRequest) {

  private static final Logger LOG = LoggerFactory.getLogger(GoldenComparison.class);

  /**
   * Number of runs at a time: a run often waits for Storm, so that with one run for each core the
   * cores would be idle.
   */
  private static final int SIDE_BY_SIDE = 3;

  /**
   * Runs all cases whose log is there.
   *
   * @return true if the answers were frozen
   * @throws ExitException if there is no log of any case, or an answer is not the frozen one
   */
  public boolean run() throws IOException {
    GoldenFile golden = new GoldenFile(file);
    List<GoldenResult> results = results(logs(golden.cases()));
    if (shutdownRequest.requested()) {
      return false;
    }
    table().print(out, results);
    List<String> wrong = results.stream().flatMap(result -> wrong(result).stream()).toList();
    wrong.forEach(out::println);
    out.flush();
    if (!wrong.isEmpty()) {
      throw ExitException.failed(
          freeze ? "nothing is frozen: see above" : "not the frozen answers: see above");
    }
    if (freeze) {
      golden.write(hashes(results));
    }
    return freeze;
  }

  private List<String> wrong(GoldenResult result) {
    return freeze ? result.disagreements() : result.changes();
  }

  /** Returns the cases whose log is there, with the log; prints why the other cases are skipped. */
  private Map<GoldenCase, Path> logs(List<GoldenCase> cases) {
    Map<GoldenCase, Path> logs = new LinkedHashMap<>();
    for (GoldenCase one : cases) {
      try {
        logs.put(one, one.file(DataSets.root(), DataSets.installed()));
      } catch (ExitException e) {
        out.println(one.name() + " is skipped: " + e.getMessage());
      }
    }
    if (logs.isEmpty()) {
      throw ExitException.failed("there is no log of any case, so nothing was compared");
    }
    return logs;
  }

  private List<GoldenResult> results(Map<GoldenCase, Path> logs) {
    ExecutorService threads = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    try (GoldenRuns runs = GoldenRuns.start(folder, logs.size())) {
      List<Future<GoldenResult>> running = new ArrayList<>();
      logs.forEach((one, log) -> running.add(threads.submit(() -> result(one, log, runs))));
      List<GoldenResult> results = new ArrayList<>();
      for (Future<GoldenResult> each : running) {
        results.add(each.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExitException.failed("interrupted while the cases ran", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Runs a case by every engine, whatever becomes of the others. */
  private GoldenResult result(GoldenCase one, Path log, GoldenRuns runs) {
    GoldenResult result = new GoldenResult(one);
    for (GoldenEngine engine : GoldenEngine.values()) {
      if (shutdownRequest.requested()) {
        break;
      }
      long start = System.nanoTime();
      try {
        result.add(engine, runs.run(one, log, engine, shutdownRequest));
      } catch (IOException | RuntimeException e) {
        LOG.warn("{} by {} has failed", one.name(), engine, e);
        result.fail(engine, e);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      progress.println(String.format(Locale.ROOT, "%s, %s: %.1f s", one.name(), engine, seconds));
    }
    return result;
  }

  private static Map<String, GoldenHashes> hashes(List<GoldenResult> results) {
    Map<String, GoldenHashes> hashes = new HashMap<>();
    results.forEach(
        result -> result.serial().ifPresent(each -> hashes.put(result.asked().name(), each)));
    return hashes;
  }

  private TextTable<GoldenResult> table() {
    return TextTable.of(
        new Column<>("case", -14, result -> result.asked().name()),
        new Column<>("readings", 8, result -> result.asked().readings()),
        new Column<>("particles", 9, result -> result.asked().particles()),
        cost("resamplings", 12, GoldenEngine.SERIAL, Engine.Cost::resamplings),
        cost("loops", 6, GoldenEngine.SERIAL, cost -> cost.loops().loops()),
        cost("kB dataflow-4", 14, GoldenEngine.DATAFLOW_4, cost -> cost.bytesMoved() / 1000),
        cost("kB bsp-4", 9, GoldenEngine.BSP_4, cost -> cost.bytesMoved() / 1000),
        new Column<>("", -15, this::state));
  }

  private static Column<GoldenResult> cost(
      String title, int width, GoldenEngine engine, Function<Engine.Cost, Object> figure) {
    return new Column<>(
        title,
        width,
        result -> {
          GoldenRuns.Answer answer = result.answers().get(engine);
          return answer == null ? null : figure.apply(answer.cost());
        });
  }

  private String state(GoldenResult result) {
    boolean right = wrong(result).isEmpty();
    return freeze ? right ? " engines agree" : " ENGINES DIFFER" : right ? " equal" : " DIFFERENT";
  }
}
