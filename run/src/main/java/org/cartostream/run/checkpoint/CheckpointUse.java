package org.cartostream.run.checkpoint;

/** Choice whether a run writes checkpoints, and whether it resumes from one. */
public enum CheckpointUse {
  /** The run writes no checkpoints. */
  OFF,
  /** The run begins anew and writes checkpoints. */
  WRITE,
  /** The run resumes from the latest checkpoint, and writes more. */
  RESUME
}
