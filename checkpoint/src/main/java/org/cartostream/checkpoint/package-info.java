/**
 * Checkpoints: the state of a run at one reading, kept so that the run can go on from there. A
 * checkpoint is a {@link org.cartostream.checkpoint.Manifest} and the {@link
 * org.cartostream.checkpoint.CheckpointPart}s that it names; a {@link
 * org.cartostream.checkpoint.CheckpointStore} keeps them; a {@link
 * org.cartostream.checkpoint.StateCodec} makes bytes of a state.
 */
package org.cartostream.checkpoint;
