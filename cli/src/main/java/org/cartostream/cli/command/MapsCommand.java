package org.cartostream.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.maps.RunFiles;
import org.cartostream.run.maps.StoredMap;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code cartostream maps} and its subcommands. */
@Command(
    name = "maps",
    description = {"List, show, export and delete the maps in the folders of runs.", ""},
    footer = {
      "",
      "Examples:",
      "  cartostream maps list                           those in out",
      "  cartostream maps show out/office",
      "  cartostream maps export out/office --to /maps   map.pgm and map.yaml as office.*",
      "  cartostream maps delete out/office --yes"
    })
public final class MapsCommand implements Runnable {

  private static final DateTimeFormatter TO_THE_MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  @Spec private CommandSpec spec;

  /** Returns a map's fields for JSON, as {@code docs/json} describes them. */
  private static Map<String, Object> listed(Path folder) {
    try {
      StoredMap stored = StoredMap.in(folder);
      OccupancyGrid grid = stored.map().grid();
      return Map.of(
          "folder", folder.toString(),
          "written", stored.written().toString(),
          "width", grid.width(),
          "height", grid.height(),
          "resolutionMetres", grid.resolution(),
          "robot", stored.robot(),
          "goesOn", stored.state());
    } catch (IOException e) { // The others can be listed all the same.
      return Map.of("folder", folder.toString(), "failure", e.getMessage());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing, such as 'maps list' or 'maps show out/office'");
  }

  @Command(description = "List the maps in a folder and in those below it.")
  int list(
      @Parameters(
              arity = "0..1",
              paramLabel = "DIR",
              defaultValue = "out",
              description = "The folder; default: out.")
          Path root,
      @Mixin JsonOption json) {
    try {
      List<Path> folders = StoredMap.folders(root);
      if (json.isAsked()) {
        List<?> maps = folders.stream().map(MapsCommand::listed).toList();
        JsonOption.print(spec.commandLine().getOut(), Map.of("maps", maps));
        return 0;
      }
      if (folders.isEmpty()) {
        line("no maps in '%s'", root);
      }
      for (Path folder : folders) {
        try {
          StoredMap stored = StoredMap.in(folder);
          line(
              "%-24s  %s  %-20s  robot %s; goes on %s",
              folder, written(stored), size(stored), robot(stored), stored.state());
        } catch (IOException e) { // The others can be listed all the same.
          line("%-24s  cannot be read: %s", folder, e.getMessage());
        }
      }
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    return 0;
  }

  @Command(description = "Show what is known of a map.")
  int show(@Parameters(paramLabel = "RUN", description = "The run's folder.") Path folder) {
    StoredMap stored = stored(folder);
    OccupancyGrid grid = stored.map().grid();
    Pose corner = stored.map().origin();
    Pose far =
        corner.then(
            new Pose(grid.width() * grid.resolution(), grid.height() * grid.resolution(), 0));
    line("map         %s", folder.resolve(MapFiles.DESCRIPTION));
    line("written     %s", written(stored));
    line(
        "size        %s, %d x %d cells of %s m",
        size(stored), grid.width(), grid.height(), grid.resolution());
    line("reaches     from (%.2f, %.2f) to (%.2f, %.2f)", corner.x(), corner.y(), far.x(), far.y());
    line("robot       %s", robot(stored));
    line("goes on     %s", stored.state());
    RunFiles.ALL.forEach(
        (name, what) -> {
          if (Files.exists(folder.resolve(name))) {
            line("  %-16s  %s", name, what);
          }
        });
    return 0;
  }

  @Command(description = "Write a map for map_server elsewhere: its picture and its YAML file.")
  int export(
      @Parameters(paramLabel = "RUN", description = "The run's folder.") Path folder,
      @Option(
              names = "--to",
              paramLabel = "DIR",
              required = true,
              description = "Where to; it is made if it is missing.")
          Path to,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              description =
                  "What the files are called, without an ending; default: as the run's folder.")
          String name) {
    String named =
        name == null ? folder.toAbsolutePath().normalize().getFileName().toString() : name;
    Path description = to.resolve(MapFiles.description(named));
    if (Files.exists(description)) {
      throw ExitException.failed(
          "there is '%s' already; --name NAME gives the map another name".formatted(description));
    }
    try {
      MapFiles.write(stored(folder).map().grid(), to, named);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    line("%s", description);
    return 0;
  }

  @Command(description = "Delete a run's files: its map, its path, its state and its checkpoints.")
  int delete(
      @Parameters(paramLabel = "RUN", description = "The run's folder.") Path folder,
      @Option(names = "--yes", description = "Needed, for they are gone then.") boolean sure) {
    try {
      List<Path> files = StoredMap.files(folder);
      if (files.isEmpty()) {
        throw ExitException.failed("'%s' has no files of a run".formatted(folder));
      }
      if (!sure) {
        throw ExitException.wrongUsage(
            "%d files of '%s' would be deleted; with --yes they are"
                .formatted(files.size(), folder));
      }
      for (Path file : files) {
        Files.delete(file);
      }
      line("%d files deleted", files.size());
      try (var rest = Files.list(folder)) {
        if (rest.findAny().isEmpty()) {
          Files.delete(folder);
        }
      }
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    return 0;
  }

  private static StoredMap stored(Path folder) {
    try {
      return StoredMap.in(folder);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private static String written(StoredMap stored) {
    return TO_THE_MINUTE.format(stored.written().toInstant());
  }

  private static String robot(StoredMap stored) {
    return stored.robot().isEmpty() ? "unknown" : stored.robot();
  }

  private static String size(StoredMap stored) {
    OccupancyGrid grid = stored.map().grid();
    return String.format(
        Locale.ROOT,
        "%.1f m x %.1f m",
        grid.width() * grid.resolution(),
        grid.height() * grid.resolution());
  }

  private void line(String format, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
