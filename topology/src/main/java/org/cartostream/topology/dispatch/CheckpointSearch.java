package org.cartostream.topology.dispatch;

import java.io.IOException;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.FatalReadingSearch;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;

/**
 * Looks for the latest checkpoint of a run that may have begun with another dispatcher, in the
 * thread that waits for the store. What it finds comes as a message to the dispatcher itself.
 *
 * @param settings with which the run would go on
 * @param fatalReadings is told from where it goes on
 */
record CheckpointSearch(
    ServiceSettings settings,
    TaskCheckpoints checkpoints,
    FatalReadingSearch fatalReadings,
    StreamOutput<Payload.Restored> found) {

  /** Begins to look. */
  void lookFor(Run run) {
    if (checkpoints.store().isEmpty()) {
      found.emit(nothingFound(run));
      return;
    }
    checkpoints
        .writer()
        .execute(
            () -> {
              Payload.Restored result = lookedFor(run);
              fatalReadings.goOnFrom(result.found().reading());
              found.emit(result);
            });
  }

  private Payload.Restored lookedFor(Run run) {
    Manifest manifest = checkpoints.latest(run);
    if (manifest == null) {
      checkpoints.deleteEarlierRuns(run);
      return nothingFound(run);
    }
    try {
      manifest.checkIdentity(settings.identity(ServiceSettings.isOfLocalised(manifest.identity())));
      Cut cut = manifest.cut();
      Part[] parts = manifest.parts().toArray(Part[]::new);
      Payload.Restore latest =
          new Payload.Restore(run, cut.epoch(), cut.reading(), parts, RecoveryReport.NONE, "");
      byte[] state = checkpoints.read(latest, CheckpointCoordinator.PART);
      return new Payload.Restored(run, CheckpointCoordinator.PART, latest, state, 0, "");
    } catch (IOException | RuntimeException e) {
      return nothingFound(run, e.getMessage());
    }
  }

  /** The result of a search without one; also where the search takes too long. */
  static Payload.Restored nothingFound(Run run) {
    return nothingFound(run, "");
  }

  private static Payload.Restored nothingFound(Run run, String failure) {
    return new Payload.Restored(
        run, CheckpointCoordinator.PART, nothing(run), new byte[0], 0, failure);
  }

  /** The checkpoint of a run that has none. */
  static Payload.Restore nothing(Run run) {
    return new Payload.Restore(run, 0, 0, new Part[0], RecoveryReport.NONE, "");
  }
}
