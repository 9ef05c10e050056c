/** What a worker shows to Prometheus. */
package org.cartostream.topology.metrics;
