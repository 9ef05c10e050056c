/**
 * Surroundings of a task: its component and context, fencing token, group of matchers, clock, waker
 * and watchdog.
 */
package org.cartostream.topology.task;
