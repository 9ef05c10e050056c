package org.cartostream.ros.bag;

import java.util.ArrayList;
import java.util.List;

/**
 * Log of the damages that are found in a message file while it is read. Not for several threads.
 */
final class DamageLog {

  private final List<String> damages = new ArrayList<>();
  private int more;
  private long wholeBytes;
  private long unreadBytes;
  private int unreadParts;
  private long lostMessages;

  /** Adds a damage at a byte of the file. */
  void add(long atByte, String what) {
    add("at byte " + atByte + " " + what);
  }

  void add(String what) {
    if (damages.size() < ReadCoverage.MAX_DAMAGES - 1) {
      damages.add(what);
    } else {
      more++;
    }
  }

  /** Sets the least size of the file, bytes. */
  void had(long bytes) {
    wholeBytes = bytes;
  }

  /** Counts bytes of no readable record. */
  void unread(long bytes) {
    unreadBytes += Math.max(0, bytes);
    unreadParts += bytes > 0 ? 1 : 0;
  }

  /** Returns the number of calls of {@link #unread}. */
  int unreadParts() {
    return unreadParts;
  }

  /** Counts messages that, by the file's own index, could not be read. */
  void lost(long messages) {
    lostMessages += Math.max(0, messages);
  }

  ReadCoverage coverage(long fileBytes) {
    List<String> all = new ArrayList<>(damages);
    if (more > 0) {
      all.add("and " + more + " more damages");
    }
    return new ReadCoverage(
        fileBytes,
        Math.max(wholeBytes, fileBytes),
        Math.min(unreadBytes, fileBytes),
        lostMessages,
        0,
        0,
        all);
  }
}
