package org.cartostream.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.cartostream.bench.golden.GoldenCase;
import org.cartostream.bench.golden.GoldenEngine;
import org.cartostream.bench.golden.GoldenFile;
import org.cartostream.bench.golden.GoldenHashes;
import org.cartostream.bench.golden.GoldenResult;
import org.cartostream.bench.golden.GoldenRuns;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cartostream bench golden}, which {@code scripts/golden} calls. */
@Command(
    name = "golden",
    hidden = true,
    description = {"Compare the filter's answers, by every engine, with the frozen ones.", ""},
    footer = {
      "",
      "The cases and their hashes are in datasets/golden.tsv, which says what is hashed. A case",
      "whose log is not there is skipped.",
      "",
      "Exit code 1 and a sentence for each difference if an answer is not the frozen one."
    })
final class BenchGoldenCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(BenchGoldenCommand.class);

  /** So much a run waits for Storm that a core for each would be idle. */
  private static final int SIDE_BY_SIDE = 3;

  private static final String ROW = "%-14s %8s %9s %12s %6s %14s %9s  %s";

  @Spec private CommandSpec spec;
  @ParentCommand private BenchCommand parent;

  @Option(
      names = "--write",
      description = "Freeze the answers: write the hashes into the file. All engines must agree.")
  private boolean write;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The cases and their hashes. Default: datasets/golden.tsv.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/golden",
      description = "Folder for each run's files. Default: out/golden.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    Path root = DataSets.root();
    Path path = file == null ? root.resolve("datasets/golden.tsv") : file;
    GoldenFile golden = new GoldenFile(path);
    Map<GoldenCase, Path> logs = logs(golden.cases(), root);
    List<GoldenResult> results = results(logs);
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    if (shutdownRequest.requested()) {
      return shutdownRequest.exitCode();
    }
    List<String> wrong =
        sentences(results, write ? GoldenResult::disagreements : GoldenResult::changes);
    print(results);
    wrong.forEach(spec.commandLine().getOut()::println);
    spec.commandLine().getOut().flush();
    if (!wrong.isEmpty()) {
      throw ExitException.failed(
          write ? "nothing is frozen: see above" : "not the frozen answers: see above");
    }
    if (write) {
      golden.write(hashes(results));
      ResultFolderOption.printWritten(List.of(path), spec.commandLine().getOut());
    }
    return 0;
  }

  /**
   * The cases whose log is there, each with it; of the others it is said why they are skipped.
   *
   * @throws ExitException if there are none
   */
  private Map<GoldenCase, Path> logs(List<GoldenCase> cases, Path root) {
    Map<GoldenCase, Path> logs = new LinkedHashMap<>();
    for (GoldenCase one : cases) {
      try {
        logs.put(one, one.file(root, DataSets.installed()));
      } catch (ExitException e) {
        spec.commandLine().getOut().println(one.name() + " is skipped: " + e.getMessage());
      }
    }
    if (logs.isEmpty()) {
      throw ExitException.failed("there is no log of any case, so nothing was compared");
    }
    return logs;
  }

  private List<GoldenResult> results(Map<GoldenCase, Path> logs) {
    ExecutorService threads = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    try (GoldenRuns runs = GoldenRuns.start(out, logs.size())) {
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

  /** Every engine is tried, whatever becomes of the others. */
  private GoldenResult result(GoldenCase one, Path log, GoldenRuns runs) {
    GoldenResult result = new GoldenResult(one);
    PrintWriter err = spec.commandLine().getErr();
    for (GoldenEngine engine : GoldenEngine.values()) {
      if (parent.shutdownRequest().requested()) {
        break;
      }
      long start = System.nanoTime();
      try {
        result.add(engine, runs.run(one, log, engine, parent.shutdownRequest()));
      } catch (IOException | RuntimeException e) {
        LOG.warn("{} by {} has failed", one.name(), engine, e);
        result.fail(engine, e);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      err.println(String.format(Locale.ROOT, "%s, %s: %.1f s", one.name(), engine, seconds));
    }
    return result;
  }

  private static List<String> sentences(
      List<GoldenResult> results, Function<GoldenResult, List<String>> which) {
    return results.stream().flatMap(result -> which.apply(result).stream()).toList();
  }

  private static Map<String, GoldenHashes> hashes(List<GoldenResult> results) {
    Map<String, GoldenHashes> hashes = new HashMap<>();
    results.forEach(
        result -> result.serial().ifPresent(each -> hashes.put(result.asked().name(), each)));
    return hashes;
  }

  private void print(List<GoldenResult> results) {
    line("case", "readings", "particles", "resamplings", "loops", "kB dataflow-4", "kB bsp-4", "");
    for (GoldenResult result : results) {
      GoldenCase one = result.asked();
      line(
          one.name(),
          one.readings(),
          one.particles(),
          cell(result, GoldenEngine.SERIAL, Engine.Cost::resamplings),
          cell(result, GoldenEngine.SERIAL, cost -> cost.loops().loops()),
          cell(result, GoldenEngine.DATAFLOW_4, cost -> cost.bytesMoved() / 1000),
          cell(result, GoldenEngine.BSP_4, cost -> cost.bytesMoved() / 1000),
          state(result));
    }
  }

  private String state(GoldenResult result) {
    if (write) {
      return result.disagreements().isEmpty() ? "engines agree" : "ENGINES DIFFER";
    }
    return result.changes().isEmpty() ? "equal" : "DIFFERENT";
  }

  private static Object cell(
      GoldenResult result, GoldenEngine engine, Function<Engine.Cost, Long> figure) {
    GoldenRuns.Answer answer = result.answers().get(engine);
    return answer == null ? "-" : figure.apply(answer.cost());
  }

  private void line(Object... cells) {
    spec.commandLine().getOut().println(String.format(Locale.ROOT, ROW, cells).stripTrailing());
  }
}
