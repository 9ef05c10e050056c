/** What the serial engine tells on the way to who watches it: its map, particles and loops. */
package org.cartostream.run.watched;
