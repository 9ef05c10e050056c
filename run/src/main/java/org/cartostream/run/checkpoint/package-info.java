/** Checkpoints of a run in its output folder. */
package org.cartostream.run.checkpoint;
