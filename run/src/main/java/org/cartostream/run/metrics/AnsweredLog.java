package org.cartostream.run.metrics;

import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.sensor.Reading;

/** A log whose next entries may depend on the outcomes of earlier readings. */
public interface AnsweredLog {

  /** Log whose entries depend on no outcomes. */
  AnsweredLog NONE =
      new AnsweredLog() {
        @Override
        public boolean isHeld() {
          return false;
        }

        @Override
        public void answered(Reading reading, Outcome outcome) {}
      };

  /** Returns true if the next entry must not be taken before all earlier readings have outcomes. */
  boolean isHeld();

  /** Tells the log the outcome of a reading. */
  void answered(Reading reading, Outcome outcome);
}
