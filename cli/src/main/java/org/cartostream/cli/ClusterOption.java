package org.cartostream.cli;

import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import picocli.CommandLine.Option;

/** Which cluster a command is about. */
final class ClusterOption {

  @Option(
      names = "--home",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "The cluster's folder; default: $CARTOSTREAM_CLUSTER,%nelse ~/.cartostream/cluster.")
  private String folder;

  ClusterHome home() {
    return ClusterHome.of(folder);
  }

  /** The cluster that is there. */
  Cluster cluster() {
    return Cluster.at(home());
  }
}
