/** Broadcast of one process to all others of a group: one copy for each other host. */
package org.cartostream.collectives.broadcast;
