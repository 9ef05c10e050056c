package org.cartostream.run.checkpoint;

/** Says whether a run writes checkpoints, or goes on from one. */
public enum CheckpointUse {
  /** None are written. */
  OFF,
  /** The run begins anew and writes them. */
  WRITE,
  /** The run goes on from the latest one, and writes more. */
  RESUME
}
