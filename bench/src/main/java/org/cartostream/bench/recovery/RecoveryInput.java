package org.cartostream.bench.recovery;

import java.nio.file.Path;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.files.InputLog;

/**
 * The log that is replayed to a service while its processes are killed.
 *
 * @param log its file
 * @param limit most scans of it
 * @param pace of the replay
 */
public record RecoveryInput(Path log, long limit, Pace pace) {

  /** Under which the readings go; random numbers depend on it. */
  String robot() {
    return InputLog.robotId(log);
  }
}
