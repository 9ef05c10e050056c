/** Operations that the tasks of a group do together. */
package org.cartostream.topology.collectives;
