/**
 * The typed streams between the components, their payloads, and the payloads' serialization between
 * processes.
 */
package org.cartostream.topology.stream;
