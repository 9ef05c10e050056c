/** What becomes of a run when processes of a cluster are killed, and what checkpoints cost. */
package org.cartostream.bench.recovery;
