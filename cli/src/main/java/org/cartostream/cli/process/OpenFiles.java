package org.cartostream.cli.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Check of the limit of files and connections that this process may have open at a time ({@code
 * ulimit -n}). Uses only Java's own classes, since under a low limit no others can be loaded.
 */
final class OpenFiles {

  /**
   * Minimum limit: about twice the 226 files that a run with Storm and the broker in this process
   * has open, of which 108 are the libraries'. Each robot takes one more.
   */
  private static final long MIN = 512;

  private OpenFiles() {}

  /** Returns the limit of open files; where the system does not report it, the largest number. */
  static long limit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  static boolean suffice(long limit) {
    return limit >= MIN;
  }

  static String tooFew(long limit) {
    return ("this process may have %d files open at a time, and needs %d; 'ulimit -n %d' before it,"
            + " or LimitNOFILE=%d in its unit, is right")
        .formatted(limit, MIN, 2 * MIN, 2 * MIN);
  }
}
