/** Discrete-event model of the service on a machine with any number of cores. */
package org.cartostream.bench.model;
