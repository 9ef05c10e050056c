/** Logs that are changed at random: whether their readers lose nothing in silence. */
package org.cartostream.bench.fuzz;
