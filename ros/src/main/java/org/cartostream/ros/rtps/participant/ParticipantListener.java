package org.cartostream.ros.rtps.participant;

/** Receiver of the events of a participant. Called by its thread, without its lock. */
public interface ParticipantListener {

  /**
   * The number of other participants has changed.
   *
   * @param others how many there are now
   */
  void onParticipants(int others);

  /**
   * An endpoint elsewhere has a topic of this participant's and cannot be matched.
   *
   * @param topic in DDS' words
   * @param who for people
   * @param why the rest of a sentence that begins with who
   */
  void onMismatch(String topic, String who, String why);
}
