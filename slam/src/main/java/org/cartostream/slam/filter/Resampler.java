package org.cartostream.slam.filter;

/**
 * Weighs the particles of one robot and decides when and what to resample.
 *
 * <p>Owns the particles' accumulated log weights: partitions report only what each step adds, and a
 * moved particle takes no weight with it. A pure function of the beliefs given to it: copies of it
 * fed alike decide alike.
 */
public final class Resampler {

  public Resampler(FilterSettings settings, String robot) {
    throw new UnsupportedOperationException("soon");
  }

  /** Takes all particles' beliefs about one step ({@link Beliefs#merge}). */
  public Resampling resample(Beliefs all) {
    throw new UnsupportedOperationException("soon");
  }
}
