package org.cartostream.run.maps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.RunState;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.server.ServerMap;

/**
 * A map in the folder of the run that made it.
 *
 * @param map the map, read from its files
 * @param written time at which the map was written
 * @param robot id of the robot that made the map; empty if the folder has no report
 * @param state text for people on whether the run can be continued: after which reading, or why not
 */
public record StoredMap(ServerMap map, FileTime written, String robot, String state) {

  /** Returns the folders that have a map: the given folder and the folders in it, by name. */
  public static List<Path> folders(Path root) throws IOException {
    try (Stream<Path> below = Files.list(root)) {
      return Stream.concat(Stream.of(root), below.sorted(Comparator.naturalOrder()))
          .filter(each -> Files.isRegularFile(each.resolve(MapFiles.DESCRIPTION)))
          .toList();
    }
  }

  /**
   * Reads the map in a folder.
   *
   * @throws IOException if there is no map, or the map cannot be read
   */
  public static StoredMap in(Path folder) throws IOException {
    Path file = folder.resolve(MapFiles.DESCRIPTION);
    ServerMap map = ServerMap.read(file);
    return new StoredMap(map, Files.getLastModifiedTime(file), robot(folder), state(folder));
  }

  private static String robot(Path folder) throws IOException {
    Path report = folder.resolve(RunReport.FILE);
    return Files.exists(report) ? RunReport.read(report).path("robot").asText() : "";
  }

  private static String state(Path folder) {
    Path file = folder.resolve(RunState.FILE);
    if (!Files.exists(file)) {
      return "no: it has no " + RunState.FILE;
    }
    try {
      return "after reading " + RunState.open(file).manifest().id().reading();
    } catch (CheckpointException e) {
      return "no: " + e.getMessage();
    } catch (IOException e) {
      return "no: its " + RunState.FILE + " cannot be read";
    }
  }

  /**
   * Returns the files of a run and of its checkpoints in a folder, in an order in which they can be
   * deleted.
   */
  public static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : RunFiles.ALL.keySet()) {
      if (Files.exists(folder.resolve(name))) {
        files.add(folder.resolve(name));
      }
    }
    Path checkpoints = folder.resolve(RunCheckpoints.FOLDER);
    if (Files.isDirectory(checkpoints)) {
      try (Stream<Path> all = Files.walk(checkpoints)) {
        all.sorted(Comparator.reverseOrder()).forEach(files::add); // A folder after its contents.
      }
    }
    return files;
  }
}
