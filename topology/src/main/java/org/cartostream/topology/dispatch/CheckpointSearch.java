package org.cartostream.topology.dispatch;

import java.io.IOException;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.PoisonReadingDetector;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;

/**
 * Search for the latest checkpoint of a run that may have begun at another dispatcher, in a thread
 * that waits for the store. The dispatcher gets the result as a message to itself.
 *
 * @param fatalReadings learns from which checkpoint the run goes on
 */
record CheckpointSearch(DispatcherContext context, PoisonReadingDetector fatalReadings) {

  /** Begins the search for a run's checkpoint. */
  void lookFor(Run run) {
    if (context.checkpoints().store().isEmpty()) {
      context.outputs().restored.emit(nothingFound(run));
      return;
    }
    context
        .checkpoints()
        .writer()
        .execute(
            () -> {
              Payload.Restored result = lookedFor(run);
              fatalReadings.takeOver(result.found().reading());
              context.outputs().restored.emit(result);
            });
  }

  private Payload.Restored lookedFor(Run run) {
    TaskCheckpoints checkpoints = context.checkpoints();
    Manifest manifest = checkpoints.latest(run);
    if (manifest == null) {
      checkpoints.deleteEarlierRuns(run);
      return nothingFound(run);
    }
    try {
      boolean isLocalised = ServiceSettings.isOfLocalised(manifest.identity());
      manifest.checkIdentity(context.settings().identity(isLocalised));
      CheckpointId id = manifest.id();
      CheckpointPart[] parts = manifest.parts().toArray(CheckpointPart[]::new);
      Payload.Restore whole =
          new Payload.Restore(run, id.epoch(), id.reading(), parts, RecoveryReport.NONE, "", null);
      byte[] state = checkpoints.read(whole, CheckpointCoordinator.PART);
      PackedMap knownMap = StateCodec.decode(state, SavedReadings.class).knownMap();
      return found(run, new RestorePoint(id.epoch(), id.reading(), parts, state, knownMap), "");
    } catch (IOException | RuntimeException e) {
      return found(run, RestorePoint.nothing(null), e.getMessage());
    }
  }

  /** Returns the result of a search that found no checkpoint, or took too long. */
  static Payload.Restored nothingFound(Run run) {
    return found(run, RestorePoint.nothing(null), "");
  }

  private static Payload.Restored found(Run run, RestorePoint point, String failure) {
    Payload.Restore found = point.restore(run, RecoveryReport.NONE, "");
    return new Payload.Restored(run, CheckpointCoordinator.PART, found, point.state(), 0, failure);
  }
}
