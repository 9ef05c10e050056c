/** A publisher's messages to robots: answers, maps, the final result after loop closure. */
package org.cartostream.topology.publish;
