package org.cartostream.slam.sensor;

/**
 * A reason why something was not used. Each area of the code has an enum of its refusals. A refusal
 * is counted and reported by its {@link #name}, and shown to people as its {@link #sentence}.
 */
public interface Refusal {

  /**
   * Returns the name under which the refusal is counted, in capitals: {@code ALL_BEAMS_INVALID}.
   */
  String name();

  /** One sentence for people: what was wrong, and what would have been right. */
  String sentence();

  /** A refusal together with the value that caused it. */
  record Reason(Refusal refusal, String detail) {
    @Override
    public String toString() {
      return detail.isEmpty() ? refusal.sentence() : refusal.sentence() + " (" + detail + ")";
    }
  }

  /** This refusal, caused by {@code detail}: the offending value and where it stood. */
  default Reason because(String detail) {
    return new Reason(this, detail);
  }
}
