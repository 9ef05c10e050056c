package org.cartostream.slam.filter;

import java.util.List;

/**
 * One task's particles of one robot: their poses and maps.
 *
 * <p>A step runs in this order: {@link #match}; then, with what the {@link Resampler} decided,
 * {@link #send}, {@link #resample} and one {@link #receive} per parcel that the moves promise; then
 * {@link #register}. Not thread-safe; its task is its owner.
 */
public final class Partition {

  /**
   * @param task this partition's number, as moves name it
   * @param particles numbers of the particles that it holds at first, ascending
   */
  public Partition(FilterSettings settings, String robot, int task, int[] particles) {
    throw new UnsupportedOperationException("soon");
  }

  /** Number of particles held now. */
  public int size() {
    throw new UnsupportedOperationException("soon");
  }

  /** Moves every particle by odometry with noise, matches the scan to its map and weighs it. */
  public Beliefs match(Step step) {
    throw new UnsupportedOperationException("soon");
  }

  /** The particle that {@code move} (one that starts at this task) asks to be sent. */
  public Parcel send(Move move) {
    throw new UnsupportedOperationException("soon");
  }

  /**
   * Replaces the particles by those children whose new owner is this task and whose parents are
   * here. Children with parents elsewhere come by {@link #receive}.
   */
  public void resample(Resampling resampling, int[] ownerAfter) {
    throw new UnsupportedOperationException("soon");
  }

  /** Takes in a particle that another task sent. */
  public void receive(Parcel parcel) {
    throw new UnsupportedOperationException("soon");
  }

  /** Enters the step's scan into the map of every particle, at its pose. */
  public void register(Step step) {
    throw new UnsupportedOperationException("soon");
  }

  /** Numbers of the particles held now, ascending. */
  public List<Integer> particles() {
    throw new UnsupportedOperationException("soon");
  }
}
