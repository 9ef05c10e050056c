package org.cartostream.broker;

import java.util.regex.Pattern;

/**
 * Rule for a robot's id. The id is part of routing keys, queue names and paths in ZooKeeper, so
 * only letters, digits, {@code -} and {@code _} are allowed (no dot, star, hash or slash).
 */
public final class RobotId {

  /** Maximum length of an id, so that the longest queue name stays below AMQP's 255 bytes. */
  public static final int MAX_CHARACTERS = 64;

  private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_-]{1," + MAX_CHARACTERS + "}");

  private RobotId() {}

  /**
   * Returns {@code id} if it is a robot's id.
   *
   * @throws RefusedMessageException if it is none
   */
  public static String check(String id) {
    if (!isOne(id)) {
      throw BrokerRefusal.BAD_ROBOT_ID.exception("not '" + shown(id) + "'");
    }
    return id;
  }

  /** Returns true if a text is a robot's id. */
  public static boolean isOne(String id) {
    return id != null && RULE.matcher(id).matches();
  }

  private static String shown(String id) {
    if (id == null) {
      return "";
    }
    String printable = id.replaceAll("\\p{Cntrl}", "?");
    return printable.length() <= 80 ? printable : printable.substring(0, 80) + "…";
  }
}
