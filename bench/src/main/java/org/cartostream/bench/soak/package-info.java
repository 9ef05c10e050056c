/** Many simulated robots against a cluster, for long. */
package org.cartostream.bench.soak;
