package org.cartostream.slam.log.text;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipException;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnpackedFile;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;

/** Opens logs in text formats: CARMEN, and g2o with scans. */
public final class TextLogs {

  private TextLogs() {}

  /** Opens a log that needs no settings, see {@link #open(Path, CarmenSettings)}. */
  public static LaserLog open(Path file) throws IOException {
    return open(file, CarmenSettings.defaults());
  }

  /**
   * Opens a CARMEN log or a g2o file with scans, told apart by content; either may be packed with
   * gzip, or alone in a zip archive.
   *
   * @param settings say what the lines leave open
   * @throws FileFormatException if the file is no log
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it cannot be read
   */
  public static LaserLog open(Path file, CarmenSettings settings) throws IOException {
    try {
      LogPreScan scans = LogPreScan.of(file, settings);
      return scans.isPoseGraph()
          ? G2oLog.read(file, scans)
          : new CarmenLog(new LineReader(UnpackedFile.open(file)), scans);
    } catch (EOFException | ZipException e) {
      throw new FileFormatException(file + " is a damaged archive: " + e.getMessage(), e);
    }
  }

  /**
   * Opens one log or several as one, see {@link MergedLog}.
   *
   * @throws FileFormatException if one of several is a pose graph
   */
  public static LaserLog open(List<Path> files, CarmenSettings settings) throws IOException {
    return files.size() == 1 ? open(files.get(0), settings) : MergedLog.open(files, settings);
  }
}
