package org.cartostream.ros.bag;

import java.util.List;

/**
 * The part of a message file, or of several, that was read, and the damages of the rest. Complete
 * when it has been read to its end.
 *
 * @param bytes size of the file
 * @param wholeBytes least size of the undamaged file, bytes, by its header; {@code bytes} if the
 *     header claims no more
 * @param unreadBytes bytes of no readable record
 * @param lostMessages number of messages that are in the index and could not be read; 0 without an
 *     index
 * @param missingFiles sentences about files of the recording that are missing or cannot be read at
 *     all
 * @param repeatedMessages number of copies of messages in several files, which were left out
 * @param damages sentences for people, in the order of the file; at most {@link #MAX_DAMAGES}
 */
public record ReadCoverage(
    long bytes,
    long wholeBytes,
    long unreadBytes,
    long lostMessages,
    int missingFiles,
    long repeatedMessages,
    List<String> damages) {

  public static final int MAX_DAMAGES = 8;

  public ReadCoverage {
    damages = List.copyOf(damages);
  }

  /**
   * True if every byte of the file belongs to a record that was read, and no message is missing.
   */
  public boolean isAllRead() {
    return unreadBytes == 0 && lostMessages == 0;
  }

  /** True if the file had more bytes, by its header. */
  public boolean endsEarly() {
    return wholeBytes > bytes;
  }

  /** True if nothing is wrong with the file. */
  public boolean isWhole() {
    return damages.isEmpty();
  }
}
