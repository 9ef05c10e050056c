package org.cartostream.ros.node;

/** Receiver of the events of a node. Called by the node's threads: be quick. */
public interface RosNodeListener {

  /**
   * The master does not answer; the node goes on with those whom it knows. Called again after every
   * failed attempt.
   *
   * @param why one sentence
   */
  void onMasterAway(String why);

  /** The master answers, for the first time or again, and everything is registered with it. */
  void onMasterBack();

  /**
   * A topic cannot be received from a publisher, or not be sent to a subscriber.
   *
   * @param subject the topic's global name, and who is at its other end if it is about one of
   *     several; repeated reports on one subject are of interest once in a while only
   * @param why one sentence
   */
  void onTrouble(String subject, String why);

  /**
   * Another node has requested that this node end.
   *
   * @param why one sentence
   */
  void onShutdown(String why);

  /**
   * The node cannot go on: another has taken its name, or nobody can reach it any more.
   *
   * @param why one sentence
   */
  void onFailure(String why);
}
