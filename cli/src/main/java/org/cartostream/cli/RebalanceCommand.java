package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import org.cartostream.topology.submission.Rebalance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cartostream rebalance}. */
@Command(
    name = "rebalance",
    description = {
      "Have a running topology's particles on fewer or more of its matcher tasks.",
      "",
      "They move at each robot's next resampling; the answers stay the same, to the last bit.",
      ""
    })
final class RebalanceCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ClusterOption option;

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Option(
      names = "--tasks",
      paramLabel = "M",
      required = true,
      description = "How many tasks are to hold particles, from 1; at most topology.tasks count.")
  private int tasks;

  @Override
  public Integer call() throws IOException {
    if (tasks < 1) {
      throw Failure.wrongUsage("--tasks " + tasks + ": at least 1 task must hold the particles");
    }
    PrintWriter out = spec.commandLine().getOut();
    Cluster cluster = option.cluster();
    try {
      Rebalance.ask(cluster.zookeeper(), cluster.nimbus().idOf(name), tasks);
    } catch (NimbusException e) {
      throw Failure.failed(name + ": " + e.getMessage(), e);
    }
    out.println(name + ": " + tasks + " tasks hold particles from the next resampling on");
    out.flush();
    return 0;
  }
}
