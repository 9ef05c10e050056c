package org.cartostream.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.S3Store;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.run.exit.ExitException;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.settings.FilterSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code cartostream checkpoints} and its subcommands. */
@Command(
    name = "checkpoints",
    description = {"List, show, verify, export and delete the checkpoints of runs.", ""},
    footer = {
      "",
      "A run's checkpoints are a folder: OUT/checkpoint/ROBOT of a replay,",
      "~/.cartostream/checkpoint/SERVICE/ROBOT-RUN of a service, and on a cluster",
      "checkpoint/ROBOT-RUN in its folder, or what hosts.yaml says. The setting",
      "checkpoint.folder names another place, such as s3://BUCKET/FOLDER.",
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

  /**
   * A run that has checkpoints.
   *
   * @param location the run's folder, or {@code s3://BUCKET/FOLDER/RUN}
   */
  private record StoredRun(String location, CheckpointStore store, String name) {

    static StoredRun in(Path folder) {
      Path absolute = folder.toAbsolutePath().normalize();
      return new StoredRun(
          folder.toString(),
          new DirectoryStore(absolute.getParent()),
          absolute.getFileName().toString());
    }

    Optional<Manifest> latest(List<String> unusable) {
      try {
        return store.latest(name, unusable::add);
      } catch (IOException e) {
        throw ExitException.of(e);
      }
    }
  }

  /** Returns a run's fields for JSON, as {@code docs/json} describes them. */
  private static Map<String, Object> listed(StoredRun run) {
    List<String> unusable = new ArrayList<>();
    Map<String, Object> listed = new LinkedHashMap<>(Map.of("location", run.location()));
    Optional<Manifest> latest = run.latest(unusable);
    listed.put("unusable", unusable);
    if (latest.isPresent()) {
      CheckpointId id = latest.get().id();
      listed.put("reading", id.reading());
      listed.put("epoch", id.epoch());
      listed.put("bytes", latest.get().parts().stream().mapToLong(CheckpointPart::bytes).sum());
      listed.put("written", written(run, id).toString());
    }
    return listed;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing, such as 'checkpoints list out' or 'checkpoints verify out'");
  }

  @Command(description = "List the runs that have checkpoints in a folder and in those below it.")
  int list(
      @Parameters(paramLabel = "DIR", description = "The folder.") String root,
      @Mixin JsonOption json) {
    if (json.isAsked()) {
      List<?> runs = runs(root).stream().map(CheckpointsCommand::listed).toList();
      JsonOption.print(spec.commandLine().getOut(), Map.of("runs", runs));
      return 0;
    }
    for (StoredRun run : runs(root)) {
      List<String> unusable = new ArrayList<>();
      Optional<Manifest> latest = run.latest(unusable);
      line(
          "%-32s  %s",
          run.location(),
          latest.isPresent()
              ? summary(run, latest.get())
              : "none that is whole: " + String.join("; ", unusable));
    }
    return 0;
  }

  @Command(description = "Show a run's latest checkpoint: its parts, and settings.")
  int show(@Parameters(paramLabel = "RUN", description = "The run's folder.") String folder) {
    StoredRun run = run(folder);
    Manifest manifest = required(run);
    line("latest      %s", summary(run, manifest));
    line("written by  release %s", manifest.release());
    for (CheckpointPart part : manifest.parts()) {
      if (!part.shared()) {
        line("part        %-16s  %,d bytes", part.name(), part.bytes());
      }
    }
    long shared = manifest.parts().stream().filter(CheckpointPart::shared).count();
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
        "Look whether each run in and below a folder has a checkpoint that is whole.",
        "The latest one is read, and those before it until one is whole. Exit code 1 if anything is"
            + " damaged."
      })
  int verify(@Parameters(paramLabel = "DIR", description = "The folder.") String root) {
    boolean damaged = false;
    for (StoredRun run : runs(root)) {
      List<String> unusable = new ArrayList<>();
      Optional<Manifest> latest = run.latest(unusable);
      unusable.forEach(sentence -> line("damaged  %s", sentence));
      latest.ifPresent(manifest -> line("whole    %s", manifest.id()));
      if (latest.isEmpty()) {
        line("lost     no checkpoint in %s is whole", run.location());
      }
      damaged |= !unusable.isEmpty() || latest.isEmpty();
    }
    return damaged ? 1 : 0;
  }

  @Command(description = {"Write a run's latest checkpoint as a file for 'replay --continue'."})
  int export(
      @Parameters(paramLabel = "RUN", description = "The run's folder.") String folder,
      @Option(
              names = "--to",
              paramLabel = "FILE",
              required = true,
              description = "The file, such as run.state.")
          Path to) {
    if (Files.exists(to)) {
      throw ExitException.failed("there is '%s' already".formatted(to));
    }
    StoredRun run = run(folder);
    Manifest manifest = required(run);
    try {
      AtomicFile.write(to, out -> RunState.write(out, run.store(), manifest));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    line("%s: %s", to, summary(run, manifest));
    return 0;
  }

  @Command(description = "Delete a run's checkpoints: it cannot be restored or resumed any more.")
  int delete(
      @Parameters(paramLabel = "RUN", description = "The run's folder.") String folder,
      @Option(names = "--yes", description = "Needed, for they are gone then.") boolean sure) {
    StoredRun run = run(folder);
    if (!sure) {
      throw ExitException.wrongUsage(
          "the checkpoints in '%s' would be deleted; with --yes they are".formatted(folder));
    }
    try {
      run.store().delete(run.name());
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    line("deleted");
    return 0;
  }

  private static List<StoredRun> runs(String root) {
    try {
      List<StoredRun> runs =
          root.startsWith(S3Store.SCHEME)
              ? runsInBucket(root)
              : DirectoryStore.runFolders(Path.of(root)).stream().map(StoredRun::in).toList();
      if (runs.isEmpty()) {
        throw ExitException.failed(
            "no checkpoint is in '%s' or in a folder below it".formatted(root));
      }
      return runs;
    } catch (IOException e) {
      throw ExitException.of(e);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage(e.getMessage(), e);
    }
  }

  /**
   * Returns the runs below a path in a bucket. Since buckets have no folders, the path itself is
   * taken for a run if its parent has checkpoints of that name.
   */
  private static List<StoredRun> runsInBucket(String root) throws IOException {
    String location = root.replaceAll("/+$", "");
    int slash = location.lastIndexOf('/');
    if (slash > S3Store.SCHEME.length()) {
      CheckpointStore parent = CheckpointStore.at(location.substring(0, slash));
      String name = location.substring(slash + 1);
      if (CheckpointId.canName(name) && parent.runs().contains(name)) {
        return List.of(new StoredRun(location, parent, name));
      }
    }
    CheckpointStore store = CheckpointStore.at(location);
    return store.runs().stream()
        .filter(CheckpointId::canName)
        .map(name -> new StoredRun(location + "/" + name, store, name))
        .toList();
  }

  private static StoredRun run(String folder) {
    StoredRun first = runs(folder).get(0);
    String wanted = folder.replaceAll("/+$", "");
    boolean isSame =
        wanted.startsWith(S3Store.SCHEME)
            ? first.location().equals(wanted)
            : Path.of(first.location()).normalize().equals(Path.of(wanted).normalize());
    if (!isSame) {
      throw ExitException.wrongUsage(
          "'%s' is not the folder of one run, as '%s' is".formatted(wanted, first.location()));
    }
    return first;
  }

  private static Manifest required(StoredRun run) {
    List<String> unusable = new ArrayList<>();
    return run.latest(unusable)
        .orElseThrow(
            () ->
                ExitException.failed(
                    "no checkpoint in %s is whole: %s"
                        .formatted(run.location(), String.join("; ", unusable))));
  }

  private static String summary(StoredRun run, Manifest manifest) {
    CheckpointId id = manifest.id();
    double bytes = manifest.parts().stream().mapToLong(CheckpointPart::bytes).sum();
    return String.format(
        Locale.ROOT,
        "reading %d, epoch %d, %.1f MB, %s",
        id.reading(),
        id.epoch(),
        bytes / BYTES_A_MEGABYTE,
        TO_THE_SECOND.format(written(run, id)));
  }

  private static Instant written(StoredRun run, CheckpointId id) {
    try {
      return run.store().written(id);
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
