package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a cluster's servers and workers have printed, where this machine has the files. */
record Logs(ClusterHome home, Plan plan) {

  List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Host host : plan.hosts()) {
      try (Stream<Path> all = Files.walk(home.of(host).resolve("logs"))) {
        all.filter(path -> path.toString().endsWith(".log")).sorted().forEach(files::add);
      }
    }
    return files;
  }
}
