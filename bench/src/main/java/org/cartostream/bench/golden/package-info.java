/** Frozen answers of the filter, compared over all engines. */
package org.cartostream.bench.golden;
