package org.cartostream.topology.dispatch;

import java.util.Set;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.AdmissionLock;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Settings, stores and outputs that all runs of a dispatcher share.
 *
 * @param matchers number of tasks that hold particles
 * @param admissionLock lock that orders the readings and checkpoints of all robots while a crash is
 *     investigated
 */
record DispatcherContext(
    ServiceSettings settings,
    int matchers,
    TaskCheckpoints checkpoints,
    DispatcherOutputs outputs,
    AdmissionLock admissionLock) {

  /** Returns the names of the parts of all components but the dispatcher. */
  Set<String> partNames() {
    return TaskCheckpoints.partNames(settings.topology().mode(), matchers);
  }
}
