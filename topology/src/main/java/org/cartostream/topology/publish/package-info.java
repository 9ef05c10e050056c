/** What a publisher sends a robot: answers, maps, the final result after loop closure. */
package org.cartostream.topology.publish;
