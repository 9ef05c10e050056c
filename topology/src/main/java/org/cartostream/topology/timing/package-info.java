/** Times of the tasks' work on each key frame, summed per stage and per task. */
package org.cartostream.topology.timing;
