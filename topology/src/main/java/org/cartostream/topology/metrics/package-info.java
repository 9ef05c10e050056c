/** A worker's metrics for Prometheus, and its health check. */
package org.cartostream.topology.metrics;
