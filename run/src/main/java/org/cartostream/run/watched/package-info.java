/** What the serial engine tells on the way to who watches it: its map and its particles. */
package org.cartostream.run.watched;
