/** Fuzzing of log readers: logs are changed at random, and must not lose anything in silence. */
package org.cartostream.bench.fuzz;
