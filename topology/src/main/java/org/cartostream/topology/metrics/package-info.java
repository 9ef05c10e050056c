/** A worker's figures, as Prometheus reads them. */
package org.cartostream.topology.metrics;
