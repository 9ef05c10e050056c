/**
 * Readings at which the service fails: detection of a reading that crashes processes, and files
 * with failed readings for developers.
 */
package org.cartostream.topology.failure;
