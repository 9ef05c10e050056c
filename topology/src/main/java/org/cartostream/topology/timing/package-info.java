/** Times of the tasks' work on key frames, summed by stage and by task. */
package org.cartostream.topology.timing;
