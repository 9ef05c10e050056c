package org.cartostream.topology.failure;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Count of a run's process deaths since its checkpoint, the reading that is suspected of them, and
 * the readings that are refused because the service fails at them.
 *
 * @param cut number of the last reading in the checkpoint from which the run went on
 * @param restores number of times that the run went on from this checkpoint because a process had
 *     ended
 * @param trying number of the reading that is being processed alone; 0 for none
 * @param suspect number of the reading that was being processed at the latest death; 0 for none
 * @param deaths number of processes that have ended while the suspect was processed
 * @param refused reasons for which readings are refused, for people, by the readings' numbers;
 *     those up to the cut are dropped at the next death
 */
record CrashHistory(
    long cut, int restores, long trying, long suspect, int deaths, Map<Long, String> refused) {

  static final CrashHistory NOTHING = new CrashHistory(0, 0, 0, 0, 0, Map.of());

  /** Number of processes that must end while the same reading is noted, before it is refused. */
  private static final int MAX_DEATHS = 2;

  CrashHistory {
    refused = Collections.unmodifiableMap(new TreeMap<>(refused));
  }

  /**
   * Returns the history after a process has ended, and the run goes on from a checkpoint.
   *
   * @param newCut number of the last reading in the checkpoint
   */
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

  /**
   * Returns the history with one more refused reading.
   *
   * @param why reason, for people
   */
  CrashHistory refusing(long reading, String why) {
    Map<Long, String> all = new TreeMap<>(refused);
    all.put(reading, why);
    return new CrashHistory(cut, restores, trying, suspect, deaths, all);
  }

  /**
   * Returns the history after a later checkpoint: deaths before it no longer count, except those at
   * a suspect that is not in the checkpoint.
   *
   * @param newCut number of the last reading in the checkpoint
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
