/** A task's surroundings: component, number, fencing token, the group of matchers, clock, waker. */
package org.cartostream.topology.task;
