package org.cartostream.slam.map;

/**
 * The size of a map's grid, computed before the grid is allocated.
 *
 * @param width cells along x
 * @param height cells along y
 */
public record GridExtent(long width, long height) {

  /** Cells in all; {@link Long#MAX_VALUE} if there are more. */
  public long cells() {
    return height > 0 && width > Long.MAX_VALUE / height ? Long.MAX_VALUE : width * height;
  }

  @Override
  public String toString() {
    return width + " x " + height;
  }
}
