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
 * The state from which a run begins or continues: its latest valid checkpoint, or nothing. A
 * restore point never changes; a later checkpoint is another one.
 *
 * @param epoch epoch in which the checkpoint was taken; 0 without a checkpoint
 * @param reading number of the last reading in the checkpoint; 0 without a checkpoint
 * @param parts parts of all components; empty without a checkpoint
 * @param state the dispatcher's own part, encoded; empty without a checkpoint
 * @param knownMap map in which the robot is localised; null if the robot makes its map
 */
record RestorePoint(
    long epoch, long reading, CheckpointPart[] parts, byte[] state, PackedMap knownMap) {

  /** Returns the restore point of a run without a checkpoint. */
  static RestorePoint nothing(PackedMap knownMap) {
    return new RestorePoint(0, 0, new CheckpointPart[0], new byte[0], knownMap);
  }

  /**
   * Returns the restore point that a search in the store has found.
   *
   * @param known map that came with the run's first reading, or null; only used without a
   *     checkpoint
   */
  static RestorePoint found(Payload.Restored message, PackedMap known) {
    Payload.Restore found = message.found();
    PackedMap map = found.parts().length > 0 ? found.knownMap() : known;
    return new RestorePoint(found.epoch(), found.reading(), found.parts(), message.state(), map);
  }

  /** Returns true if there is a checkpoint. */
  boolean exists() {
    return parts.length > 0;
  }

  /** Returns true if a map that has come with the run's first reading is missing here. */
  boolean lacks(PackedMap map) {
    return map != null && !exists() && knownMap == null;
  }

  /** Returns the dispatcher's own state. */
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

  /** Returns the checkpoint's identifier in the store. */
  CheckpointId id(Run run) {
    return new CheckpointId(TaskCheckpoints.name(run), epoch, reading);
  }

  /**
   * Returns the message that has components load this restore point.
   *
   * @param run the run in its new epoch
   * @param recovery report on the run's restores so far
   * @param failure reason for which the run is restored only to be ended; else empty
   */
  Payload.Restore restore(Run run, RecoveryReport recovery, String failure) {
    return new Payload.Restore(run, epoch, reading, parts, recovery, failure, knownMap);
  }
}
