package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.bench.fuzz.FuzzBench;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code bench fuzz}. */
@Command(
    name = "fuzz",
    description = {
      "Change small logs at random and read them: nothing may be lost without a word, and nothing"
          + " but a sentence may be thrown.",
      ""
    },
    footer = {
      "",
      "'faulty' are files that were not read as they should be. 'told' are those of which"
          + " something that is untouched was not read, but it was said how much is missing.",
      "",
      "Example:",
      "  bench fuzz --times 1000 small.bag small.mcap small.clf.gz"
    })
final class BenchFuzzCommand implements Callable<Integer> {

  private static final String FILE = "fuzz.csv";

  private static final TextTable<FuzzBench.Result> TABLE =
      TextTable.of(
          new Column<>("log", -20, FuzzBench.Result::log),
          new Column<>("files", 7, FuzzBench.Result::files),
          new Column<>("faulty", 7, FuzzBench.Result::faulty),
          new Column<>("told", 7, FuzzBench.Result::told),
          new Column<>("slowest ms", 11, "%.0f", FuzzBench.Result::slowestMillis));

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description =
          "Small logs: .bag, .mcap, .db3, a folder of rosbag2, .clf, .g2o, these packed as .gz, or"
              + " .tum; maps: .yaml, .pbm, .pgm, .ppm, .png, .bmp, .gif, .jpg or .tiff; a .state, a"
              + " .journal or a .spool.")
  private List<Path> logs;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many changed files are made of each. Default: 1000.")
  private int times;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Of the changes. Default: 1.")
  private long seed;

  @Mixin private ResultFolderOption folder;

  @Override
  public Integer call() throws IOException {
    OptionChecks.atLeastOne("--times", times);
    PrintWriter screen = spec.commandLine().getOut();
    Path out = folder.prepare();
    FuzzBench bench = new FuzzBench(out);
    List<FuzzBench.Result> results = new ArrayList<>();
    TABLE.printHeader(screen);
    for (Path log : logs) {
      FuzzBench.Result result = bench.run(log, times, seed, parent.shutdownRequest()::requested);
      TABLE.printRow(screen, result);
      result.faults().forEach(screen::println);
      results.add(result);
    }
    ResultFolderOption.printWritten(List.of(TABLE.writeCsv(out.resolve(FILE), results)), screen);
    int faulty = results.stream().mapToInt(FuzzBench.Result::faulty).sum();
    if (faulty > 0) {
      throw ExitException.failed(faulty + " files were not read as they should be");
    }
    return parent.shutdownRequest().exitCode();
  }
}
