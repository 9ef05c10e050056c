package org.cartostream.topology.run;

/**
 * Rate limit of a publisher's maps: the maps of all runs together take a tenth of its time. No map
 * is drawn while a noted reading is processed: if drawing crashed the process, the reading would be
 * blamed.
 *
 * <p>Owns when the next map may be begun, and the reading for which maps are held. Moments are
 * nanoseconds, by a clock of any origin.
 */
public final class MapPace {

  /** Called with the reading for which the drawing of maps is paused. */
  public interface Held {
    void held(Run run, long reading);
  }

  /** All maps together may take one part in this many of the time. */
  private static final int SHARE = 10;

  /** Maps are held no longer: that they need not be may have been lost. */
  private static final long MAX_HELD_NANOS = 60_000_000_000L;

  private final Held held;
  private long nextAt;

  /** Run for whose reading maps are held; null if they are not. */
  private Run run;

  private long reading;
  private long heldAt;
  private boolean isReported;

  /**
   * @param now when the first map may be begun
   * @param held is told once of each reading, when no map is being drawn any more
   */
  public MapPace(long now, Held held) {
    this.nextAt = now;
    this.held = held;
  }

  /**
   * Holds maps for a reading, and for no other any more.
   *
   * @param isDrawing true if a map is being drawn; then {@link #mayBegin} is to be called after it
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

  /** No reading of the run is to be blamed any more. */
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

  /** No map is being drawn: true if one may be begun. */
  public boolean mayBegin(long now) {
    sayHeld();
    if (run != null && now - heldAt > MAX_HELD_NANOS) {
      run = null;
    }
    return run == null && now - nextAt >= 0;
  }

  /** A map was drawn. */
  public void drawn(long begun, long now) {
    nextAt = now + (now - begun) * SHARE;
  }
}
