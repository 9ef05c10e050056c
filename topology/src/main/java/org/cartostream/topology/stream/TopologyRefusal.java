package org.cartostream.topology.stream;

import org.cartostream.slam.sensor.Refusal;

/** The reasons for which the dispatcher refuses a reading before any filter sees it. */
public enum TopologyRefusal implements Refusal {
  TOO_MANY_WAITING("The robot sent more readings than may be unanswered"),
  AFTER_THE_END("The robot sent a reading after it had sent that nothing follows");

  private final String sentence;

  TopologyRefusal(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
