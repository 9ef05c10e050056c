/** Plays a recording back: what was known at each of its readings, for the page that shows it. */
package org.cartostream.web.playback;
