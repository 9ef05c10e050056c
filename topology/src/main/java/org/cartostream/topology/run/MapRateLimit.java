package org.cartostream.topology.run;

/**
 * Rate limit of a publisher's maps: the maps of all runs together take a tenth of its time. Also
 * pauses the drawing of maps while a reading that is suspected of crashes is processed: if drawing
 * crashed the process, the reading would be blamed.
 *
 * <p>Owns the time at which the next map may be begun, and the reading for which maps are paused.
 * Times are nanoseconds, by a clock of any origin.
 */
public final class MapRateLimit {

  /** Callback with the reading for which the drawing of maps is paused. */
  public interface Held {
    void held(Run run, long reading);
  }

  /** Ratio of the pause after a map to the time that drawing it took. */
  private static final int SHARE = 10;

  /**
   * Maximum duration of a pause for a reading, nanoseconds, as the message that ends it may be
   * lost.
   */
  private static final long MAX_HELD_NANOS = 60_000_000_000L;

  private final Held held;
  private long nextAt;

  /** Run for whose reading maps are paused; null if they are not. */
  private Run run;

  private long reading;
  private long heldAt;
  private boolean isReported;

  /**
   * @param now time from which the first map may be begun
   * @param held called once for each reading, when no map is being drawn any more
   */
  public MapRateLimit(long now, Held held) {
    this.nextAt = now;
    this.held = held;
  }

  /**
   * Pauses the drawing of maps for a reading; a pause for another reading ends.
   *
   * @param of run of the reading
   * @param number number of the reading
   * @param isDrawing true if a map is being drawn; {@link #mayBegin} must be called after it
   */
  public void hold(Run of, long number, boolean isDrawing, long now) {
    run = of;
    reading = number;
    heldAt = now;
    isReported = false;
    if (!isDrawing) {
      sayHeld();
    }
  }

  /** Ends a pause for a reading of this run. */
  public void release(Run of) {
    if (of.equals(run)) {
      run = null;
    }
  }

  private void sayHeld() {
    if (run != null && !isReported) {
      isReported = true;
      held.held(run, reading);
    }
  }

  /** Returns true if a map may be begun; to be called only while none is being drawn. */
  public boolean mayBegin(long now) {
    sayHeld();
    if (run != null && now - heldAt > MAX_HELD_NANOS) {
      run = null;
    }
    return run == null && now - nextAt >= 0;
  }

  /** Notes that a map was drawn, between the times {@code begun} and {@code now}. */
  public void drawn(long begun, long now) {
    nextAt = now + (now - begun) * SHARE;
  }
}
