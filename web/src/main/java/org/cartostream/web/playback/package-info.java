/**
 * Playback of a recording: the state of a run at each of its readings, for the page that shows it.
 */
package org.cartostream.web.playback;
