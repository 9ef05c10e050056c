package org.cartostream.gateway.ros.tf;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The transforms between two frames over the last seconds, interpolated. Owns the samples, as many
 * seconds of them as {@link #KEPT_NANOS}; not for several threads.
 */
public final class TransformBuffer {

  /** Time for which transforms are kept, nanoseconds; the same as in tf. */
  public static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Maximum time between two samples that is interpolated, nanoseconds. */
  public static final long MAX_GAP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NavigableMap<Long, RigidTransform> samples = new TreeMap<>();

  /** The first sample; null if none has come. */
  private RigidTransform first;

  private boolean changed;

  /**
   * Adds a sample. A stamp far before all others means that the clock was set back, as by a bag
   * that starts anew, and clears the buffer.
   */
  public void add(long stampNanos, RigidTransform motion) {
    if (!samples.isEmpty() && stampNanos < samples.lastKey() - KEPT_NANOS) {
      samples.clear();
    }
    first = first == null ? motion : first;
    changed |= !motion.equals(first);
    samples.put(stampNanos, motion);
    samples.headMap(samples.lastKey() - KEPT_NANOS).clear();
  }

  /** True if any sample differed from the first one. */
  boolean hasChanged() {
    return changed;
  }

  /** Returns the newest sample; there must be one. */
  RigidTransform latest() {
    return samples.lastEntry().getValue();
  }

  /** Returns the newest sample's stamp; there must be one. */
  long newestNanos() {
    return samples.lastKey();
  }

  /** Looks up the transform at a time, interpolated between the samples before and after it. */
  public TransformLookup at(long stampNanos) {
    if (samples.isEmpty()) {
      return new TransformLookup.Unconnected();
    }
    Map.Entry<Long, RigidTransform> before = samples.floorEntry(stampNanos);
    Map.Entry<Long, RigidTransform> after = samples.ceilingEntry(stampNanos);
    if (before == null) {
      return new TransformLookup.TooOld(samples.firstKey());
    }
    if (after == null) {
      return new TransformLookup.NotYet(samples.lastKey());
    }
    long gap = after.getKey() - before.getKey();
    if (gap > MAX_GAP_NANOS) {
      return new TransformLookup.Gap(gap);
    }
    double share = gap == 0 ? 0 : (stampNanos - before.getKey()) / (double) gap;
    return new TransformLookup.Found(before.getValue().interpolate(after.getValue(), share));
  }
}
