package org.cartostream.run.checkpoint;

/** What a run does with checkpoints. */
public enum CheckpointUse {
  /** None are written. */
  OFF,
  /** The run begins anew and writes them. */
  WRITE,
  /** The run goes on from the latest one, and writes more. */
  RESUME
}
