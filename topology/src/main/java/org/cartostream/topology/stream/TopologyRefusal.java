package org.cartostream.topology.stream;

import org.cartostream.slam.sensor.Refusal;

/** The reasons for which the dispatcher refuses a reading. */
public enum TopologyRefusal implements Refusal {
  TOO_MANY_WAITING("The robot sent more readings than may be unanswered"),
  AFTER_THE_END("The robot sent a reading after it had sent that nothing follows"),
  TOO_MUCH_MEMORY(
      "The robot's run would take more memory than topology.robotMegabytes allows: no more of it is"
          + " mapped, and its map is kept until its end"),
  TOO_MANY_SCANS(
      "The scans of the robot's run take more disk than topology.robotScanMegabytes allows: no more"
          + " of it is mapped, and its map is kept until its end"),
  MEMORY_SHORT(
      "The service ran short of memory, and this robot's run took most of it: no more of it is mapped,"
          + " and its map is kept until its end"),
  FAILS("The service failed at the reading, and again when it was processed once more");

  private final String sentence;

  TopologyRefusal(String sentence) {
    this.sentence = sentence;
  }

  /**
   * Returns true if the reason is a lack of room for more of the run, in memory or for its scans.
   */
  public boolean isForWantOfRoom() {
    return this == TOO_MUCH_MEMORY || this == TOO_MANY_SCANS || this == MEMORY_SHORT;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
