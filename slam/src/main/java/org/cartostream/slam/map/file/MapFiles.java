package org.cartostream.slam.map.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Maps as ROS's {@code map_saver} writes and {@code map_server} reads them: a grey picture, and a
 * YAML file with its resolution and origin.
 */
public final class MapFiles {

  /** Name of the files, without their ending. */
  public static final String NAME = "map";

  public static final String PICTURE = picture(NAME);
  public static final String DESCRIPTION = description(NAME);

  /** {@code map_server}'s occupied_thresh: a cell darker than this share is occupied. */
  private static final double OCCUPIED_THRESHOLD = 0.65;

  /**
   * {@code map_server}'s free_thresh: a cell less dark than this share is free. Grey 205 of 255 is
   * just above.
   */
  private static final double FREE_THRESHOLD = 0.196;

  private static final int OCCUPIED_GREY = 0;
  private static final int FREE_GREY = 254;
  private static final int UNKNOWN_GREY = 205;

  private MapFiles() {}

  /**
   * Writes {@link #PICTURE} and {@link #DESCRIPTION} into a folder, which is created if it is
   * missing; each file is replaced as a whole.
   */
  public static void write(OccupancyGrid grid, Path folder) throws IOException {
    write(grid, folder, NAME);
  }

  /**
   * Writes a grid under another name.
   *
   * @param name without an ending
   */
  public static void write(OccupancyGrid grid, Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    AtomicFile.write(folder.resolve(picture(name)), out -> writePicture(grid, out));
    AtomicFile.write(
        folder.resolve(description(name)),
        out -> out.write(content(grid, picture(name)).getBytes(StandardCharsets.US_ASCII)));
  }

  /** Writes both files as a zip archive, for downloads. */
  public static void writeZip(OccupancyGrid grid, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.putNextEntry(new ZipEntry(PICTURE));
    writePicture(grid, zip);
    zip.putNextEntry(new ZipEntry(DESCRIPTION));
    zip.write(content(grid, PICTURE).getBytes(StandardCharsets.US_ASCII));
    zip.finish();
  }

  private static String picture(String name) {
    return name + ".pgm";
  }

  /** Returns the name of a map's YAML file. */
  public static String description(String name) {
    return name + ".yaml";
  }

  /** State of a cell by {@code map_server}'s thresholds. */
  enum CellState {
    FREE,
    OCCUPIED,
    UNKNOWN;

    static CellState of(byte cell) {
      if (cell == OccupancyGrid.UNKNOWN) {
        return UNKNOWN;
      }
      if (cell >= 100 * OCCUPIED_THRESHOLD) {
        return OCCUPIED;
      }
      return cell < 100 * FREE_THRESHOLD ? FREE : UNKNOWN;
    }
  }

  private static void writePicture(OccupancyGrid grid, OutputStream out) throws IOException {
    String header =
        String.format(
            Locale.ROOT,
            "P5\n# CREATOR: cartostream %.3f m/pix\n%d %d\n255\n",
            grid.resolution(),
            grid.width(),
            grid.height());
    out.write(header.getBytes(StandardCharsets.US_ASCII));
    byte[] row = new byte[grid.width()];
    for (int y = grid.height() - 1; y >= 0; y--) { // A picture begins at the top.
      for (int x = 0; x < row.length; x++) {
        row[x] = (byte) grey(CellState.of(grid.at(x, y)));
      }
      out.write(row);
    }
  }

  private static int grey(CellState cellState) {
    return switch (cellState) {
      case FREE -> FREE_GREY;
      case OCCUPIED -> OCCUPIED_GREY;
      case UNKNOWN -> UNKNOWN_GREY;
    };
  }

  private static String content(OccupancyGrid grid, String picture) {
    return String.format(
        Locale.ROOT,
        "image: %s\nresolution: %.6f\norigin: [%.6f, %.6f, 0.000000]\nnegate: 0\n"
            + "occupied_thresh: %s\nfree_thresh: %s\n",
        picture,
        grid.resolution(),
        grid.originX(),
        grid.originY(),
        OCCUPIED_THRESHOLD,
        FREE_THRESHOLD);
  }
}
