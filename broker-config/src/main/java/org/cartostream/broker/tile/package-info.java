/** Tiles of a map's cells, in which maps are compared and sent. */
package org.cartostream.broker.tile;
