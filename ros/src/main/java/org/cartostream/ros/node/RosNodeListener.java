package org.cartostream.ros.node;

/** Receiver of the events of a node. Called by the node's threads: be quick. */
public interface RosNodeListener {

  /**
   * Called when the master does not answer, after every failed attempt; the node keeps its
   * connections to other nodes.
   *
   * @param why one sentence
   */
  void onMasterAway(String why);

  /**
   * Called when the master answers, for the first time or again, and all registrations are done.
   */
  void onMasterBack();

  /**
   * Called when a topic cannot be received from a publisher, or cannot be sent to a subscriber.
   *
   * @param subject the topic's global name, and the other node if the trouble is with one of
   *     several; repeated reports on a subject may be suppressed
   * @param why one sentence
   */
  void onTrouble(String subject, String why);

  /**
   * Called when another node has requested that this node end.
   *
   * @param why one sentence
   */
  void onShutdown(String why);

  /**
   * Called when the node cannot go on: another node has taken its name, or no node can reach it any
   * more.
   *
   * @param why one sentence
   */
  void onFailure(String why);
}
