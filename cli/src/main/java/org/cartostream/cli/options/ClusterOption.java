package org.cartostream.cli.options;

import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import picocli.CommandLine.Option;

/** Option that names a cluster's folder. */
public final class ClusterOption {

  @Option(
      names = "--home",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "The cluster's folder; default: $CARTOSTREAM_CLUSTER,%nelse ~/.cartostream/cluster.")
  private String folder;

  public ClusterHome home() {
    return ClusterHome.of(folder);
  }

  /** Returns the cluster in the named folder, which must exist. */
  public Cluster cluster() {
    return Cluster.at(home());
  }
}
