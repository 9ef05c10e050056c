package org.cartostream.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.OverlayOptions;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.report.ReportFigures;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.web.playback.HtmlReport;
import org.cartostream.web.playback.Labels;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code cartostream export}. */
@Command(
    name = "export",
    description = {
      "Make one file of a finished run that can be mailed, and opens in any browser: its map, the"
          + " robot's way through it in time, and the figures of its report.",
      ""
    },
    footer = {"", "Example:", "  cartostream export out/killian --html"})
public final class ExportCommand implements Callable<Integer> {

  private static final String FILE = "report.html";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The folder that the run has written.")
  private Path folder;

  @Option(names = "--html", description = "As a page with everything in it.")
  private boolean html;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "The file; default: report.html in the folder.")
  private Path file;

  @Mixin private OverlayOptions overlay;

  @Override
  public Integer call() {
    if (!html) {
      throw ExitException.wrongUsage("say in which form, as there may be others: --html");
    }
    RunFolder.require(folder);
    try {
      List<StampedPose> path = TumFile.read(folder.resolve(FileSink.TRAJECTORY));
      if (path.isEmpty()) {
        throw ExitException.failed(
            folder.resolve(FileSink.TRAJECTORY) + " has no pose: there is no way to show");
      }
      Path report = folder.resolve(RunReport.FILE);
      Path to = file == null ? folder.resolve(FILE) : file;
      new HtmlReport(
              folder.toAbsolutePath().normalize().getFileName().toString(),
              ServerMap.read(folder.resolve(MapFiles.DESCRIPTION)).grid(),
              path,
              Files.exists(report) ? ReportFigures.read(report) : List.of(),
              Labels.of(folder),
              overlay.read(path))
          .write(to);
      spec.commandLine()
          .getOut()
          .printf("%s  the run as one page, %.1f MB%n", to, Files.size(to) / 1e6);
      return 0;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }
}
