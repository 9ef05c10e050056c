package org.cartostream.gateway.session;

import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Attachment to a robot's readings for localisation in a known map: the map with a run's first
 * reading, and with any reading the pose that an operator has stated since the previous one.
 *
 * <p>Owns the map, which can be replaced by another (then a new run begins), the placement at the
 * beginning of a run, and placements that were not sent yet. A reading that is sent again carries
 * the same placement again. Thread-safe.
 */
public final class LocalisationAttachment {

  private ServerMap map;
  private PackedMap packed;

  /** True after the map was replaced, until a new run begins in the new map. */
  private boolean isReplaced;

  /** True if the map was ever replaced. */
  private boolean isAnother;

  private final LocalisationSettings settings;

  /** Placement at the beginning of the next run. */
  private InitialPose start;

  /** The latest placement to be sent; null if it has been sent, or there was none. */
  private InitialPose said;

  /** Number of the latest reading whose message was made; its placement is below. */
  private long number;

  private InitialPose initialPose;

  /** Latest placement that was said and sent, without an outcome yet; null if there is none. */
  private InitialPose unanswered;

  private long unansweredNumber;

  /**
   * @param start first pose of the robot, in the {@code map} frame; empty if nobody knows
   * @throws IllegalArgumentException if the robot cannot be there, or the map is too large
   */
  public LocalisationAttachment(
      ServerMap map, LocalisationSettings settings, Optional<Pose> start) {
    start.ifPresent(map::requireFreePlace);
    this.map = map;
    this.packed = PackedMap.of(map);
    packed.requireAtMost(settings.maxMapCells());
    this.settings = settings;
    this.start = InitialPose.of(settings, start);
  }

  public synchronized ServerMap map() {
    return map;
  }

  /**
   * Replaces the map; a new run begins in it.
   *
   * @param where placement of the robot in the new map
   * @throws IllegalArgumentException if the map is too large
   */
  public void replace(ServerMap by, InitialPose where) {
    PackedMap its = PackedMap.of(by);
    its.requireAtMost(settings.maxMapCells());
    synchronized (this) {
      map = by;
      packed = its;
      start = where;
      said = null;
      unanswered = null;
      isReplaced = true;
      isAnother = true;
    }
  }

  /** True if the present run is still in the replaced map. */
  synchronized boolean isReplaced() {
    return isReplaced;
  }

  /**
   * Returns the settings that differ in the identity of a run whose map was replaced; empty for the
   * first map.
   */
  synchronized Map<String, String> identity() {
    return isAnother ? Map.of("--localise", "a map that set_map brought") : Map.of();
  }

  /** States the pose of the robot, or that it is unknown; sent with the next reading. */
  public synchronized void place(InitialPose where) {
    said = said == null ? where : said.then(where);
  }

  /** Returns the message of a reading, with its placement and, for reading 1, the map. */
  synchronized ReadingMessage message(long sequence, Reading reading, long heldMap) {
    if (sequence != number) {
      number = sequence;
      InitialPose before = sequence == 1 ? start : null;
      initialPose = said == null ? before : before == null ? said : before.then(said);
      if (said != null && !(said instanceof InitialPose.Unmoved)) {
        unanswered = said;
        unansweredNumber = sequence;
      }
      said = null;
    }
    return new ReadingMessage(reading, heldMap, sequence == 1 ? packed : null, initialPose);
  }

  /** Notes the robot's pose at a reading, at which a new run would begin. */
  synchronized void found(long sequence, Pose pose) {
    if (isReplaced || unanswered != null && sequence < unansweredNumber) {
      return; // Somebody has said since that it is elsewhere.
    }
    unanswered = null;
    start = InitialPose.of(settings, Optional.of(pose));
  }

  /** Prepares for a new run; an unanswered placement is sent again. */
  synchronized void restart() {
    said = unanswered == null ? said : said == null ? unanswered : unanswered.then(said);
    unanswered = null;
    number = 0;
    isReplaced = false;
  }
}
