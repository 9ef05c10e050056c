/** Messages of a publisher to robots, and those kept in case they ask again. */
package org.cartostream.topology.response;
