/**
 * Checkpoints: the state of a run after one of its readings, stored so that the run can go on from
 * there. A checkpoint is a {@link org.cartostream.checkpoint.Manifest} and the {@link
 * org.cartostream.checkpoint.CheckpointPart}s that the manifest lists; a {@link
 * org.cartostream.checkpoint.CheckpointStore} stores both; a {@link
 * org.cartostream.checkpoint.StateCodec} encodes states as bytes.
 */
package org.cartostream.checkpoint;
