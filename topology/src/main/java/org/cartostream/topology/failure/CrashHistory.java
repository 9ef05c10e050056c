package org.cartostream.topology.failure;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Count of a run's process deaths since its checkpoint, the reading that is suspected of them, and
 * the readings that are refused because the service fails at them.
 *
 * @param cut the last reading in the checkpoint from which the run went on
 * @param restores how often the run went on from it because a process had ended
 * @param trying the reading that is being processed alone; 0 for none
 * @param suspect the one that was at the latest death; 0 for none
 * @param deaths how many processes have ended at that one
 * @param refused why readings are refused, for people, by their numbers; those up to the cut are
 *     left out when a process has ended next
 */
record CrashHistory(
    long cut, int restores, long trying, long suspect, int deaths, Map<Long, String> refused) {

  static final CrashHistory NOTHING = new CrashHistory(0, 0, 0, 0, 0, Map.of());

  /** Number of processes that end while the same reading is noted, before it is refused. */
  private static final int MAX_DEATHS = 2;

  CrashHistory {
    refused = Collections.unmodifiableMap(new TreeMap<>(refused));
  }

  /** A process has ended, and the run goes on from a checkpoint. */
  CrashHistory resumeFrom(long newCut) {
    CrashHistory now = newCut == cut ? this : durable(newCut);
    Map<Long, String> still = new TreeMap<>(refused);
    still.keySet().removeIf(each -> each <= newCut);
    if (now.trying == 0) {
      return new CrashHistory(newCut, now.restores + 1, 0, now.suspect, now.deaths, still);
    }
    int again = now.trying == now.suspect ? now.deaths + 1 : 1;
    if (again < MAX_DEATHS) {
      return new CrashHistory(newCut, now.restores + 1, 0, trying, again, still);
    }
    still.put(trying, PoisonReadingDetector.SENTENCE);
    return new CrashHistory(newCut, 0, 0, 0, 0, still);
  }

  CrashHistory trying(long reading) {
    return new CrashHistory(cut, restores, reading, suspect, deaths, refused);
  }

  /** A reading is refused from now on. */
  CrashHistory refusing(long reading, String why) {
    Map<Long, String> all = new TreeMap<>(refused);
    all.put(reading, why);
    return new CrashHistory(cut, restores, trying, suspect, deaths, all);
  }

  /**
   * The record after a later checkpoint: deaths before it count no longer, except for what is known
   * of a reading that is still to come.
   */
  CrashHistory durable(long newCut) {
    boolean isSuspectOpen = suspect > newCut;
    return new CrashHistory(
        newCut,
        0,
        trying > newCut ? trying : 0,
        isSuspectOpen ? suspect : 0,
        isSuspectOpen ? deaths : 0,
        refused);
  }
}
