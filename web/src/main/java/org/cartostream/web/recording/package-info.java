/** Recordings of runs as MCAP files. */
package org.cartostream.web.recording;
