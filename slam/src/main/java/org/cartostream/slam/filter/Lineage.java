package org.cartostream.slam.filter;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * The paths of one robot's particles as a tree that is pruned to living ancestors, and the map that
 * the best path gives.
 *
 * <p>What all particles agree on (the trunk) is settled: its scans are traced into a grid once and
 * dropped. So memory grows with the map and the path, and a map can be had at any time by tracing
 * the few scans since then. Not thread-safe; the publisher (or the serial engine) is its owner.
 */
public final class Lineage {

  public Lineage(FilterSettings settings) {
    throw new UnsupportedOperationException("soon");
  }

  /** Takes in a key frame with all particles' beliefs and what was resampled after it. */
  public void keyFrame(Step step, Beliefs all, Resampling resampling) {
    throw new UnsupportedOperationException("soon");
  }

  /** Takes in a reading between key frames. */
  public void between(Step step) {
    throw new UnsupportedOperationException("soon");
  }

  /** The best particle's pose at the latest reading, in the {@code map} frame. */
  public Pose current() {
    throw new UnsupportedOperationException("soon");
  }

  /** The best particle's whole path: one pose per processed reading, in their order. */
  public List<PathPose> bestPath() {
    throw new UnsupportedOperationException("soon");
  }

  /** Free, occupied and unknown space as seen along the best path. */
  public OccupancyGrid map() {
    throw new UnsupportedOperationException("soon");
  }
}
