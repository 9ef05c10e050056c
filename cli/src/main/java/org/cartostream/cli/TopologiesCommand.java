package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cartostream topologies}. */
@Command(name = "topologies", description = "What runs on a cluster, and on which workers.")
final class TopologiesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ClusterOption option;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    ClusterCommand.printTopologies(option.cluster().nimbus(), out);
    out.flush();
    return 0;
  }
}
