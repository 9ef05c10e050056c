package org.cartostream.slam.localisation;

import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * A read-only map with the data that localisation derives from it: the {@link LikelihoodField}, the
 * free cells, and its walls for the scan matcher. All poses are in the grid's frame: metres from
 * its lower left corner.
 */
final class KnownMap {

  private final ServerMap map;
  private final LikelihoodField field;
  private final int[] freeCells;
  private final TiledMap walls;

  KnownMap(ServerMap map, LocalisationSettings settings, double unitsPerMetre) {
    this.map = map;
    this.field = new LikelihoodField(map, settings);
    IntStream cells = IntStream.range(0, map.grid().cells().length);
    this.freeCells = cells.filter(map::isFree).toArray();
    this.walls = new TiledMap();
    int[] surface = IntStream.range(0, map.grid().cells().length).filter(map::isSurface).toArray();
    int[] x = IntStream.of(surface).map(i -> units(column(i), unitsPerMetre)).toArray();
    int[] y = IntStream.of(surface).map(i -> units(row(i), unitsPerMetre)).toArray();
    walls.hit(x, y, surface.length, 0, 0);
  }

  private int column(int cell) {
    return cell % map.grid().width();
  }

  private int row(int cell) {
    return cell / map.grid().width();
  }

  private int units(int cell, double unitsPerMetre) {
    return (int) StrictMath.floor((cell + 0.5) * map.grid().resolution() * unitsPerMetre);
  }

  LikelihoodField field() {
    return field;
  }

  TiledMap walls() {
    return walls;
  }

  /**
   * Returns a pose in free space, chosen by three numbers in [0, 1).
   *
   * @param cell chooses one of the free cells
   * @param along chooses the position in the cell: x by the leading digits, y by the rest
   */
  Pose freePose(double cell, double along, double turn) {
    int chosen = freeCells[(int) (cell * freeCells.length)];
    double across = along * 256;
    double up = across - StrictMath.floor(across);
    return new Pose(
        (column(chosen) + StrictMath.floor(across) / 256) * map.grid().resolution(),
        (row(chosen) + up) * map.grid().resolution(),
        Pose.wrap(2 * StrictMath.PI * turn));
  }

  /** Checks a stated pose, see {@link ServerMap#requireFreePlace}. */
  void requireFreePlace(Pose inMap) {
    map.requireFreePlace(inMap);
  }

  Pose inGrid(Pose inMap) {
    return map.origin().to(inMap);
  }

  Pose inMap(Pose inGrid) {
    return map.origin().then(inGrid);
  }

  /** Turns a covariance from the grid's axes to those of the {@code map} frame; null stays null. */
  SymmetricMatrix3 inMap(SymmetricMatrix3 inGrid) {
    return inGrid == null ? null : inGrid.turned(map.origin().theta());
  }
}
