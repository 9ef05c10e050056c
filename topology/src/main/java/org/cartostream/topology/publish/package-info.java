/**
 * The publisher, which sends robots their answers, poses and maps, and the final result after loop
 * closure.
 */
package org.cartostream.topology.publish;
