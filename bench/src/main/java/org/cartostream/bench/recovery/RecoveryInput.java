package org.cartostream.bench.recovery;

import java.nio.file.Path;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.files.InputLog;

/**
 * Log that is replayed to a service while its processes are killed.
 *
 * @param log file of the log
 * @param limit maximum number of scans that are taken from the log
 * @param pace pace of the replay
 */
public record RecoveryInput(Path log, long limit, Pace pace) {

  /** Returns the id of the robot whose readings these are; random numbers depend on it. */
  String robot() {
    return InputLog.robotId(log);
  }
}
