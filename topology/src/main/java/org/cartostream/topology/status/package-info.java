/** What a worker tells observers of its tasks. */
package org.cartostream.topology.status;
