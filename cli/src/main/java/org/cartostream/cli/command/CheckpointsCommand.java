package org.cartostream.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.checkpoint.RunState;
import org.cartostream.run.exit.ExitException;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code cartostream checkpoints} and its subcommands. */
@Command(
    name = "checkpoints",
    description = {"List, show, verify, export and delete the checkpoints of runs.", ""},
    footer = {
      "",
      "A run's checkpoints are a folder: OUT/checkpoint/ROBOT of a replay, and of",
      "a service ~/.cartostream/checkpoint/SERVICE/ROBOT-RUN, or what the setting",
      "checkpoint.folder says.",
      "",
      "Examples:",
      "  cartostream checkpoints list ~/.cartostream/checkpoint",
      "  cartostream checkpoints show out/office/checkpoint/office",
      "  cartostream checkpoints verify /shared/checkpoint",
      "  cartostream checkpoints export out/office/checkpoint/office --to a.state"
    })
public final class CheckpointsCommand implements Runnable {

  private static final DateTimeFormatter TO_THE_SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private static final double BYTES_A_MEGABYTE = 1e6;

  @Spec private CommandSpec spec;

  /** The run whose checkpoints a folder has, and their store. */
  private record StoredRun(DirectoryStore store, String name) {

    static StoredRun of(Path folder) {
      Path absolute = folder.toAbsolutePath().normalize();
      return new StoredRun(
          new DirectoryStore(absolute.getParent()), absolute.getFileName().toString());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing, such as 'checkpoints list out' or 'checkpoints verify out'");
  }

  @Command(description = "List the runs that have checkpoints in a folder and in those below it.")
  int list(@Parameters(paramLabel = "DIR", description = "The folder.") Path root) {
    for (Path folder : runs(root)) {
      List<String> unusable = new ArrayList<>();
      Optional<Manifest> latest = latest(folder, unusable);
      line(
          "%-32s  %s",
          folder,
          latest.isPresent()
              ? summary(folder, latest.get())
              : "none that is whole: " + unusable.get(0));
    }
    return 0;
  }

  @Command(description = "Show a run's latest checkpoint: its parts, and settings.")
  int show(@Parameters(paramLabel = "RUN", description = "The run's folder.") Path folder) {
    Manifest manifest = required(folder);
    line("latest      %s", summary(folder, manifest));
    line("written by  release %s", manifest.release());
    for (Part part : manifest.parts()) {
      if (!part.shared()) {
        line("part        %-16s  %,d bytes", part.name(), part.bytes());
      }
    }
    long shared = manifest.parts().stream().filter(Part::shared).count();
    if (shared > 0) {
      line("shared      %d parts, which earlier and later checkpoints have, too", shared);
    }
    Map<String, String> defaults = Settings.values(Settings.defaults(FilterSettings.class));
    manifest
        .identity()
        .forEach(
            (key, value) -> {
              if (!value.equals(defaults.get(key))) {
                line("not default %s: %s", key, value);
              }
            });
    return 0;
  }

  @Command(
      description = {
        "Read all checkpoints in a folder and in those below it; say what is",
        "damaged. Exit code 1 if anything is."
      })
  int verify(@Parameters(paramLabel = "DIR", description = "The folder.") Path root) {
    boolean damaged = false;
    for (Path folder : runs(root)) {
      List<String> unusable = new ArrayList<>();
      Optional<Manifest> latest = latest(folder, unusable);
      unusable.forEach(sentence -> line("damaged  %s", sentence));
      latest.ifPresent(manifest -> line("whole    %s", manifest.cut()));
      if (latest.isEmpty()) {
        line("lost     no checkpoint in %s is whole", folder);
      }
      damaged |= !unusable.isEmpty();
    }
    return damaged ? 1 : 0;
  }

  @Command(
      description = {
        "Write a run's latest checkpoint as one file, from which",
        "'replay --continue' goes on."
      })
  int export(
      @Parameters(paramLabel = "RUN", description = "The run's folder.") Path folder,
      @Option(
              names = "--to",
              paramLabel = "FILE",
              required = true,
              description = "The file, such as run.state.")
          Path to) {
    if (Files.exists(to)) {
      throw ExitException.failed("there is '%s' already".formatted(to));
    }
    Manifest manifest = required(folder);
    try {
      RunState.write(to, StoredRun.of(folder).store(), manifest);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    line("%s: %s", to, summary(folder, manifest));
    return 0;
  }

  @Command(description = "Delete a run's checkpoints: it cannot be restored or resumed any more.")
  int delete(
      @Parameters(paramLabel = "RUN", description = "The run's folder.") Path folder,
      @Option(names = "--yes", description = "Needed, for they are gone then.") boolean sure) {
    requireRun(folder);
    if (!sure) {
      throw ExitException.wrongUsage(
          "the checkpoints in '%s' would be deleted; with --yes they are".formatted(folder));
    }
    StoredRun stored = StoredRun.of(folder);
    try {
      stored.store().delete(stored.name());
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    line("deleted");
    return 0;
  }

  private static List<Path> runs(Path root) {
    try {
      List<Path> runs = DirectoryStore.runFolders(root);
      if (runs.isEmpty()) {
        throw ExitException.failed(
            "no checkpoint is in '%s' or in a folder below it".formatted(root));
      }
      return runs;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private static void requireRun(Path folder) {
    List<Path> runs = runs(folder);
    if (!runs.contains(folder)) {
      throw ExitException.wrongUsage(
          "'%s' is not the folder of one run, as '%s' is".formatted(folder, runs.get(0)));
    }
  }

  private static Manifest required(Path folder) {
    requireRun(folder);
    List<String> unusable = new ArrayList<>();
    return latest(folder, unusable).orElseThrow(() -> ExitException.failed(unusable.get(0)));
  }

  private static Optional<Manifest> latest(Path folder, List<String> unusable) {
    StoredRun stored = StoredRun.of(folder);
    try {
      return stored.store().latest(stored.name(), unusable::add);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private static String summary(Path folder, Manifest manifest) {
    Cut cut = manifest.cut();
    double bytes = manifest.parts().stream().mapToLong(Part::bytes).sum();
    try {
      return String.format(
          Locale.ROOT,
          "reading %d, epoch %d, %.1f MB, %s",
          cut.reading(),
          cut.epoch(),
          bytes / BYTES_A_MEGABYTE,
          TO_THE_SECOND.format(StoredRun.of(folder).store().written(cut)));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private void line(String format, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
