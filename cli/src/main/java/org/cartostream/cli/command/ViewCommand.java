package org.cartostream.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.web.observer.RunObserver;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs {@code cartostream view}. */
@Command(
    name = "view",
    description = {"Show map and path of a finished run in a browser, until Ctrl-C.", ""},
    footer = {"", "Example:", "  cartostream view out/killian"})
public final class ViewCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @ParentCommand private CommandContext parent;

  @Parameters(paramLabel = "DIR", description = "The folder that the run has written.")
  private Path folder;

  @Mixin private WebOptions web;

  @Override
  public Integer call() {
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    try {
      OccupancyGrid map = ServerMap.read(folder.resolve(MapFiles.DESCRIPTION)).grid();
      List<PathPose> path = path(folder.resolve(FileSink.TRAJECTORY));
      try (WebOptions.Page page = web.openFinished(spec.commandLine().getErr())) {
        for (RunObserver each : page.observers()) {
          each.begin(folder.toAbsolutePath().normalize().getFileName().toString(), 0);
          each.result(map, path);
          each.end("");
        }
        page.await(shutdownRequest);
      }
      return 0;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /** A run that broke off may have left a map without one. */
  private static List<PathPose> path(Path file) throws IOException {
    List<PathPose> path = new ArrayList<>();
    if (Files.exists(file)) {
      for (StampedPose each : TumFile.read(file)) {
        path.add(new PathPose(path.size() + 1L, each.stampNanos(), each.pose()));
      }
    }
    return path;
  }
}
