package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.cartostream.bench.broadcast.BroadcastBench;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code bench broadcast}. */
@Command(
    name = "broadcast",
    description = {
      "Measure how a key frame comes to all matchers of four processes: by place, and by what Storm"
          + " does for an all-grouping.",
      ""
    },
    footer = {
      "",
      "Times are from the sender's call until the last task of another process has the key frame;"
          + " queues of tasks are left out. Give two network namespaces, as scripts/network-hosts"
          + " makes them, to have two hosts.",
      "",
      "Example:",
      "  bench broadcast --tasks 20 --bytes 65536"
    })
final class BenchBroadcastCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      split = ",",
      defaultValue = "8,20",
      description = "Tasks in the four processes. Default: ${DEFAULT-VALUE}.")
  private List<Integer> tasks;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      split = ",",
      defaultValue = "1024,10240,65536",
      description = "Bytes of a key frame's ranges. Default: ${DEFAULT-VALUE}.")
  private List<Integer> bytes;

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "200",
      description = "Key frames of each case that count. Default: 200.")
  private int messages;

  @Option(
      names = "--pause",
      paramLabel = "MS",
      defaultValue = "100",
      description = "Milliseconds from one key frame to the next. Default: 100.")
  private int pauseMillis;

  @Option(
      names = "--hosts",
      paramLabel = "NAME=IP",
      split = ",",
      description = "Two network namespaces with their addresses. Default: one host.")
  private List<String> hosts = List.of();

  @Mixin private ResultFolderOption out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks.atLeastOne("--bytes", bytes);
    OptionChecks.atLeastOne("--messages", messages);
    tasks.forEach(
        each -> {
          if (each < 4) {
            throw ExitException.wrongUsage("--tasks " + each + ": each of 4 processes has a task");
          }
        });
    BroadcastBench bench = new BroadcastBench(hosts.stream().map(this::host).toList());
    PrintWriter screen = spec.commandLine().getOut();
    Path file = out.prepare().resolve("broadcast.csv");
    List<String> lines = new ArrayList<>();
    lines.add("road,tasks,bytes,serializations,link_bytes,median_ms,p99_ms");
    screen.println(lines.get(0));
    for (int count : tasks) {
      for (int size : bytes) {
        for (BroadcastBench.Row row : bench.measure(count, size, messages, pauseMillis)) {
          lines.add(line(row));
          screen.println(line(row));
          screen.flush();
        }
      }
    }
    Files.write(file, lines);
    ResultFolderOption.printWritten(List.of(file), screen);
    return 0;
  }

  private BroadcastBench.Host host(String text) {
    int sign = text.indexOf('=');
    if (sign < 1 || hosts.size() != 2) {
      throw ExitException.wrongUsage(
          "--hosts " + String.join(",", hosts) + ": should be as a-1=10.0.0.1,a-2=10.0.0.2");
    }
    return new BroadcastBench.Host(text.substring(0, sign), text.substring(sign + 1));
  }

  private static String line(BroadcastBench.Row row) {
    return String.format(
        Locale.ROOT,
        "%s,%d,%d,%.0f,%.0f,%.2f,%.2f",
        row.road(),
        row.tasks(),
        row.bytes(),
        row.serializations(),
        row.linkBytes(),
        row.medianMillis(),
        row.p99Millis());
  }
}
