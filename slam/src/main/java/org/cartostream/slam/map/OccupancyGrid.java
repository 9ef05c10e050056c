package org.cartostream.slam.map;

/**
 * A map for people and planners, as ROS's {@code nav_msgs/OccupancyGrid} lays it out.
 *
 * @param width cells along x
 * @param height cells along y
 * @param resolution metres per cell
 * @param originX metres; the lower left corner of cell (0, 0) in the {@code map} frame
 * @param originY metres
 * @param cells row-major from the lower left: {@link #UNKNOWN}, else the probability in percent
 *     that the cell is occupied, 0 to 100. The array is not copied: nobody may write to it
 */
public record OccupancyGrid(
    int width, int height, double resolution, double originX, double originY, byte[] cells) {

  public static final byte UNKNOWN = -1;

  public OccupancyGrid {
    if (cells.length != (long) width * height) {
      throw new IllegalArgumentException(
          "a grid of " + width + " x " + height + " cells cannot have " + cells.length);
    }
  }

  /** The cell in column {@code column} from the left and row {@code row} from below. */
  public byte at(int column, int row) {
    return cells[row * width + column];
  }
}
