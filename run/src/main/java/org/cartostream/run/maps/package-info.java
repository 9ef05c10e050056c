/** The files that runs leave in their folders, and the maps among them. */
package org.cartostream.run.maps;
