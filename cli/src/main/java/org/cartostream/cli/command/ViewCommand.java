package org.cartostream.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.OverlayOptions;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.playback.Labels;
import org.cartostream.web.playback.Playback;
import org.cartostream.web.playback.RecordedRun;
import org.cartostream.web.recording.RunRecorder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream view}. */
@Command(
    name = "view",
    description = {
      "Show a finished run in a browser, until Ctrl-C: its map and path, and how they grew, if it"
          + " was recorded.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cartostream view out/killian",
      "  cartostream view out/a --overlay out/b --reference true.tum"
    })
public final class ViewCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @ParentCommand private CommandContext parent;

  @Parameters(paramLabel = "DIR", description = "The folder that the run has written.")
  private Path folder;

  @Mixin private OverlayOptions overlay;

  @Mixin private WebOptions web;

  @Override
  public Integer call() {
    try {
      if (knownMap().isEmpty()) {
        RunFolder.require(folder);
      }
      Path file = folder.resolve(RunRecorder.FILE);
      if (!Files.exists(file)) {
        return withoutRecording();
      }
      try (RecordedRun recording = RecordedRun.open(file)) {
        List<StampedPose> path = recording.path();
        Playback playback = new Playback(name(), recording, overlay.read(path), Labels.of(folder));
        if (!recording.damage().isEmpty()) {
          err().println(file + ": " + recording.damage());
        }
        try (WebOptions.Page page = web.openRecorded(playback, err())) {
          tellResult(page);
          page.await(parent.shutdownRequest());
        }
      }
      return 0;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private int withoutRecording() throws IOException {
    OccupancyGrid map = map();
    List<StampedPose> path = path();
    if (!overlay.read(path).isEmpty()) {
      throw ExitException.failed(
          "nothing can be drawn over %s: it has no %s".formatted(folder, RunRecorder.FILE));
    }
    try (WebOptions.Page page = web.openFinished(err())) {
      page.observers().forEach(each -> tell(each, map, path));
      page.await(parent.shutdownRequest());
    }
    return 0;
  }

  /**
   * Tells the page's observers the run's final map and path, for clients that ask for the latest
   * map.
   */
  private void tellResult(WebOptions.Page page) throws IOException {
    if (Files.exists(folder.resolve(MapFiles.DESCRIPTION))) {
      OccupancyGrid map = map();
      List<StampedPose> path = path();
      page.observers().forEach(each -> tell(each, map, path));
    }
  }

  private void tell(RunObserver observer, OccupancyGrid map, List<StampedPose> path) {
    List<PathPose> poses = new ArrayList<>();
    for (StampedPose each : path) {
      poses.add(new PathPose(poses.size() + 1L, each.stampNanos(), each.pose()));
    }
    observer.begin(name(), 0);
    observer.result(map, poses);
    observer.end("");
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private String name() {
    return folder.toAbsolutePath().normalize().getFileName().toString();
  }

  /** Returns the known map in which the run's robot was localised; empty if the run made a map. */
  private Optional<KnownPlace> knownMap() throws IOException {
    Path report = folder.resolve(RunReport.FILE);
    if (Files.exists(folder.resolve(MapFiles.DESCRIPTION)) || !Files.exists(report)) {
      return Optional.empty();
    }
    String map = RunReport.json().readTree(report.toFile()).at("/localisation/map").asText("");
    return map.isEmpty()
        ? Optional.empty()
        : Optional.of(new KnownPlace(Path.of(map), Optional.empty()));
  }

  private OccupancyGrid map() throws IOException {
    Optional<KnownPlace> known = knownMap();
    if (known.isPresent()) {
      return known.get().read().grid();
    }
    return ServerMap.read(folder.resolve(MapFiles.DESCRIPTION)).grid();
  }

  /** Reads the run's path; returns an empty path if the run failed before its path was written. */
  private List<StampedPose> path() throws IOException {
    Path file = folder.resolve(FileSink.TRAJECTORY);
    return Files.exists(file) ? TumFile.read(file) : List.of();
  }
}
