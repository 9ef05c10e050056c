package org.cartostream.topology.dispatch;

import java.io.IOException;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;

/**
 * The state from which a run begins or continues: its latest valid checkpoint, or nothing. Never
 * changes; a later checkpoint is another restore point.
 *
 * @param epoch in which the checkpoint was taken; 0 for none
 * @param reading the last one in it; 0 for none
 * @param parts of all components; none if the run begins with nothing
 * @param state the dispatcher's own part, encoded; empty without a checkpoint
 * @param knownMap that the robot is to be found in; null if it makes one
 */
record RestorePoint(
    long epoch, long reading, CheckpointPart[] parts, byte[] state, PackedMap knownMap) {

  /** Returns the point of a run without a checkpoint. */
  static RestorePoint nothing(PackedMap knownMap) {
    return new RestorePoint(0, 0, new CheckpointPart[0], new byte[0], knownMap);
  }

  /**
   * Returns the restore point that a search in the store has found.
   *
   * @param known map that came with a reading; a checkpoint has its own
   */
  static RestorePoint found(Payload.Restored message, PackedMap known) {
    Payload.Restore found = message.found();
    PackedMap map = found.parts().length > 0 ? found.knownMap() : known;
    return new RestorePoint(found.epoch(), found.reading(), found.parts(), message.state(), map);
  }

  /** False if the run begins with nothing. */
  boolean exists() {
    return parts.length > 0;
  }

  /** True if this map, which has come with the run's first reading, was not known. */
  boolean lacks(PackedMap map) {
    return map != null && !exists() && knownMap == null;
  }

  /** The dispatcher's own state. */
  SavedReadings saved(FilterSettings filter) {
    if (!exists()) {
      return SavedReadings.nothing(new ReadingFilter(filter), knownMap);
    }
    try {
      return StateCodec.decode(state, SavedReadings.class);
    } catch (IOException e) {
      throw new IllegalStateException("the dispatcher's part of the checkpoint is damaged", e);
    }
  }

  /** The checkpoint's name in the store. */
  CheckpointId id(Run run) {
    return new CheckpointId(TaskCheckpoints.name(run), epoch, reading);
  }

  /**
   * Has a component load it.
   *
   * @param recovery what the run's restores cost so far
   * @param failure why the run is only to be brought to its end; else empty
   */
  Payload.Restore restore(Run run, RecoveryReport recovery, String failure) {
    return new Payload.Restore(run, epoch, reading, parts, recovery, failure, knownMap);
  }
}
