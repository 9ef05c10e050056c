/**
 * Each robot's share of the service's memory, and a watchdog for processes that run out of memory.
 */
package org.cartostream.topology.memory;
