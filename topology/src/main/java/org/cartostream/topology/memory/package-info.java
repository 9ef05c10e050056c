/** A robot's share of the service's memory, and what happens when a process runs out of it. */
package org.cartostream.topology.memory;
