package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.bench.golden.GoldenComparison;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * Command {@code bench golden}: compares the filter's answers with the frozen ones, or freezes them
 * anew. {@code scripts/golden} calls it.
 */
@Command(
    name = "golden",
    description = {"Compare the filter's answers, by every engine, with the frozen ones.", ""},
    footer = {
      "",
      "The cases and their hashes are in datasets/golden.tsv, which says what is hashed. A"
          + " case whose log is not there is skipped.",
      "",
      "Exit code 1 and a sentence for each difference if an answer is not the frozen one."
    })
final class BenchGoldenCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

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
    Path path = file == null ? DataSets.root().resolve("datasets/golden.tsv") : file;
    PrintWriter screen = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    if (new GoldenComparison(path, write, out, screen, err, shutdownRequest).run()) {
      ResultFolderOption.printWritten(List.of(path), screen);
    }
    return shutdownRequest.exitCode();
  }
}
