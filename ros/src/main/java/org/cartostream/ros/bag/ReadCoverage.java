package org.cartostream.ros.bag;

import java.util.List;

/**
 * The part of a message file, or of several, that was read, and the damages of the rest. Complete
 * when it has been read to its end.
 *
 * @param bytes of the file
 * @param wholeBytes that it had at the least when it was whole, by what its header says; {@code
 *     bytes} if nothing says more
 * @param unreadBytes of them, that belong to no record that could be read
 * @param lostMessages that the file's own index counts and that could not be read; 0 if there are
 *     none, or no index
 * @param missingFiles that belong to it and are not there, or cannot be read at all
 * @param repeatedMessages that more than one of several files has, and that were taken once
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

  /** True if every byte of it belongs to a record that was read, and no message is missing. */
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
