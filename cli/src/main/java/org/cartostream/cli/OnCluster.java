package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.cartostream.cli.cluster.Cluster;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks something of a cluster that is there, and prints the answer. */
abstract class OnCluster implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ClusterOption option;

  /**
   * Does it.
   *
   * @return the exit code
   */
  abstract int on(Cluster cluster, PrintWriter out) throws Exception;

  @Override
  public final Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try {
      return on(option.cluster(), out);
    } finally {
      out.flush();
    }
  }
}
