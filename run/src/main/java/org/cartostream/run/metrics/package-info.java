/** Counters, times and progress of a run. */
package org.cartostream.run.metrics;
