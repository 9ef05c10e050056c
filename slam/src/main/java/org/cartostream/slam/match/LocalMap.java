package org.cartostream.slam.match;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.ScanTileCache;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.MatcherSettings;

/**
 * A local map of the latest key frames: between {@code span} and twice {@code span} of them.
 *
 * <p>Owns two maps that take in every key frame. When the younger map is full, it replaces the
 * older one (Hess et al., Cartographer 2016, section IV, keep their submaps in this way). Beside
 * them, the last {@code span} scans, for the free space that maps do not keep.
 */
public final class LocalMap {

  private final int span;
  private final double unitsPerMetre;
  private final int[] kernel;
  private final double contradiction;
  private final ScanMatcher matcher;
  private final Deque<FreeSpaceView> freeSpaceViews = new ArrayDeque<>();
  private TiledMap older = new TiledMap();
  private TiledMap younger = new TiledMap();
  private int inYounger;

  /** End points of the last key frame's beams, metres. */
  private double[] lastX;

  private double[] lastY;

  /**
   * @param span key frames, at least 1
   */
  public LocalMap(int span, MatcherSettings settings, double cellMetres) {
    this.span = span;
    this.unitsPerMetre = TiledMap.UNITS / cellMetres;
    this.kernel = Kernel.logLikelihood(settings.sigmaHitMetres(), settings.zRand(), cellMetres);
    this.contradiction = StrictMath.log(settings.zRand());
    this.matcher = new ScanMatcher(settings, cellMetres);
  }

  /** Returns the map of the latest key frames. */
  public TiledMap map() {
    return older;
  }

  /** Takes in a key frame. */
  public void add(Pose pose, Scan scan, Beams beams) {
    matcher.updateMap(older, beams, pose);
    matcher.updateMap(younger, beams, pose);
    inYounger++;
    if (inYounger >= span) {
      older = younger;
      younger = new TiledMap();
      inYounger = 0;
    }
    FreeSpaceView freeSpaceView = FreeSpaceView.of(pose, scan);
    keepEnds(freeSpaceView);
    freeSpaceViews.add(freeSpaceView);
    if (freeSpaceViews.size() > span) {
      freeSpaceViews.poll();
    }
  }

  /** Keeps the beams' end points of the last key frame, which are needed for each pose tried. */
  private void keepEnds(FreeSpaceView last) {
    Scan scan = last.scan();
    Pose laser = last.laser();
    int[] hits = IntStream.range(0, scan.beams()).filter(scan::isHit).toArray();
    lastX = new double[hits.length];
    lastY = new double[hits.length];
    for (int i = 0; i < hits.length; i++) {
      double angle = laser.theta() + scan.startAngle() + hits[i] * scan.angleStep();
      lastX[i] = laser.x() + scan.ranges()[hits[i]] * StrictMath.cos(angle);
      lastY[i] = laser.y() + scan.ranges()[hits[i]] * StrictMath.sin(angle);
    }
  }

  /**
   * Compares a scan with the latest scans, both ways: the ends of its beams with known walls and
   * free space, and the ends of the last key frame's beams with the free space that the scan sees.
   * An end of the last key frame agrees if it is not in that free space.
   *
   * @param beams the beams of {@code scan}
   */
  public ScanConsistency consistency(Pose pose, Scan scan, Beams beams) {
    double cos = StrictMath.cos(pose.theta());
    double sin = StrictMath.sin(pose.theta());
    double sum = 0;
    int contradicted = 0;
    int unseen = 0;
    for (int i = 0; i < beams.count(); i++) {
      double x = cos * beams.x()[i] - sin * beams.y()[i] + pose.x() * unitsPerMetre;
      double y = sin * beams.x()[i] + cos * beams.y()[i] + pose.y() * unitsPerMetre;
      int entry = ScanTileCache.entry(older, (int) StrictMath.floor(x), (int) StrictMath.floor(y));
      double log = (double) kernel[entry] / Kernel.ONE;
      if (log >= ScanConsistency.UNSEEN) {
        sum += log;
      } else if (wasFree(x / unitsPerMetre, y / unitsPerMetre)) {
        sum += log;
        contradicted++;
      } else {
        sum += ScanConsistency.UNSEEN;
        unseen++;
      }
    }
    int compared = beams.count();
    FreeSpaceView now = FreeSpaceView.of(pose, scan);
    for (int i = 0; i < lastX.length; i++) {
      FreeSpaceView.SpaceState spaceState = now.at(lastX[i], lastY[i]);
      if (spaceState != FreeSpaceView.SpaceState.UNKNOWN) {
        compared++;
      }
      if (spaceState == FreeSpaceView.SpaceState.FREE) {
        contradicted++;
        sum += contradiction;
      }
    }
    return new ScanConsistency(
        sum / compared, (double) contradicted / compared, (double) unseen / beams.count());
  }

  private boolean wasFree(double x, double y) {
    for (FreeSpaceView freeSpaceView : freeSpaceViews) {
      if (freeSpaceView.at(x, y) == FreeSpaceView.SpaceState.FREE) {
        return true;
      }
    }
    return false;
  }
}
