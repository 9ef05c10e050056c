package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.cli.SentReadings;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.settings.Settings;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * Compares what a live robot's gateway wrote with what the serial filter makes of the readings that
 * were sent, to the last byte.
 */
final class MappedReadings {

  /** {@code ros.occupiedShare} in percent. */
  private static final int OCCUPIED_PERCENT = 25;

  private MappedReadings() {}

  /** All is of one run, without a gap, and nothing was lost as the gateway said at its end. */
  static void checkSent(SentReadings sent, String said) {
    assertThat(said).contains(" 0 lost");
    assertThat(sent.runs()).as("one run").isOne();
    assertThat(sent.changed()).as("numbers of two readings").isEmpty();
    assertThat(sent.all().lastKey() - sent.all().firstKey() + 1).isEqualTo(sent.all().size());
  }

  /**
   * Path and map are the serial filter's.
   *
   * @param begun what the robot knew before
   * @param out what the gateway wrote
   * @param serial the folder for what the serial filter makes of them
   */
  static void checkMapped(
      StartingMap begun,
      Map<Long, Reading> readings,
      String robot,
      int particles,
      Path out,
      Path serial)
      throws IOException {
    SerialFilter filter =
        new SerialFilter(
            Settings.build(FilterSettings.class, Map.of("particles", "" + particles)),
            robot,
            begun);
    readings.forEach(filter::process);
    RecordedPath path = filter.trajectoryTree().bestPath().withLoopsClosed();
    FileSink files = new FileSink(serial);
    files.end(path.path());
    MapFiles.write(thresholded(path.map().grid()), serial);
    for (String name : new String[] {FileSink.TRAJECTORY, MapFiles.PICTURE, MapFiles.DESCRIPTION}) {
      assertThat(out.resolve(name)).hasSameBinaryContentAs(serial.resolve(name));
    }
  }

  private static OccupancyGrid thresholded(OccupancyGrid grid) {
    byte[] cells = grid.cells().clone();
    for (int i = 0; i < cells.length; i++) {
      cells[i] = (byte) (cells[i] < 0 ? cells[i] : cells[i] > OCCUPIED_PERCENT ? 100 : 0);
    }
    return new OccupancyGrid(
        grid.width(), grid.height(), grid.resolution(), grid.originX(), grid.originY(), cells);
  }
}
