/** What each task did for a key frame and when, summed per stage and per task. */
package org.cartostream.topology.timing;
