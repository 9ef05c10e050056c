package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.ClusterOption;
import org.cartostream.deploy.cluster.Cluster;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base of the commands that ask or tell an existing cluster something, and print the answer. */
abstract class ClusterSubcommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ClusterOption option;

  /**
   * Runs the command on the cluster.
   *
   * @return the exit code
   */
  abstract int run(Cluster cluster, PrintWriter out) throws Exception;

  @Override
  public final Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try {
      return run(option.cluster(), out);
    } finally {
      out.flush();
    }
  }
}
