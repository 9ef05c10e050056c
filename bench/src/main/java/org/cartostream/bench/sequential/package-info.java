/** Work of tasks, timed one after the other in one thread, without anything that comes between. */
package org.cartostream.bench.sequential;
