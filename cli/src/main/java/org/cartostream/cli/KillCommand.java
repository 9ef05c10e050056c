package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cartostream kill}. */
@Command(
    name = "kill",
    description = "End a topology; the particles of its robots are gone with it.")
final class KillCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ClusterOption option;

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      option.cluster().nimbus().kill(name);
    } catch (NimbusException e) {
      throw Failure.failed(name + ": " + e.getMessage(), e);
    }
    out.println("killed " + name);
    out.flush();
    return 0;
  }
}
