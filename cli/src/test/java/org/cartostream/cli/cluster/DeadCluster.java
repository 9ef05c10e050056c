package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;

/** A cluster that was made, and of which no server runs. */
public final class DeadCluster {

  private DeadCluster() {}

  /** One with its files in {@code folder}, which must not be there yet. */
  public static Cluster in(Path folder) throws IOException {
    ClusterHome home = ClusterHome.of(folder.toString());
    home.claim();
    home.create(Plan.here(1, false, 256));
    return Cluster.at(home);
  }
}
