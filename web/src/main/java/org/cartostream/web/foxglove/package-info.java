/** Live topics of a run by the protocol of Foxglove and Lichtblick. */
package org.cartostream.web.foxglove;
