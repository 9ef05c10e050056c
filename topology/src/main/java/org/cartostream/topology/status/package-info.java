/** Status of a worker's tasks for observers. */
package org.cartostream.topology.status;
