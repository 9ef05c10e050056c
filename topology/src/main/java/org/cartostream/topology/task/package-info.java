/**
 * What a task knows of where it runs: component, number, fencing token, the group of matchers, its
 * clock, who wakes it.
 */
package org.cartostream.topology.task;
