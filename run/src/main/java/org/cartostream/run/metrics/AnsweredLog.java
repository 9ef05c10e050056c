package org.cartostream.run.metrics;

import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.sensor.Reading;

/** A log whose next entries may depend on what became of the readings before. */
public interface AnsweredLog {

  /** A log that depends on nothing. */
  AnsweredLog NONE =
      new AnsweredLog() {
        @Override
        public boolean isHeld() {
          return false;
        }

        @Override
        public void answered(Reading reading, Outcome outcome) {}
      };

  /** True if the next entry is not to be asked for before all readings so far have answers. */
  boolean isHeld();

  /** A reading has its outcome. */
  void answered(Reading reading, Outcome outcome);
}
