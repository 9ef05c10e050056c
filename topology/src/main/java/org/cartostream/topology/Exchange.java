package org.cartostream.topology;

import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;

/**
 * How one run's particles on this task are weighed against the others', and how they change tasks.
 * What comes of it reaches the {@link Share} by {@link Share#judge} and {@link Share#receive}.
 */
interface Exchange {

  /** Lets all tasks, or whoever decides for them, know what this task's particles believe. */
  void believe(Statement statement, boolean first);

  /** Sends a particle to another task; not before {@link #sent}, perhaps. */
  void send(Move move, Parcel parcel);

  /**
   * All that this task has to send after a key frame was given.
   *
   * @param all moves of all tasks
   */
  void sent(long sequence, Move[] all);
}
