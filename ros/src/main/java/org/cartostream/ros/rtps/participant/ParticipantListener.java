package org.cartostream.ros.rtps.participant;

/** Receiver of the events of a participant. Called by its thread, without its lock. */
public interface ParticipantListener {

  /**
   * Called when the number of other participants has changed.
   *
   * @param others present number of other participants
   */
  void onParticipants(int others);

  /**
   * Called when a remote endpoint has a topic of this participant and cannot be matched.
   *
   * @param topic DDS name of the topic
   * @param who description of the remote endpoint, for people
   * @param why rest of a sentence that begins with {@code who}
   */
  void onMismatch(String topic, String who, String why);
}
