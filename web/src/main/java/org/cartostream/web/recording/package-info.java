/** Recordings of runs. */
package org.cartostream.web.recording;
