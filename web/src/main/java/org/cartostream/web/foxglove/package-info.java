/** The protocol of Foxglove and Lichtblick: a run as live topics. */
package org.cartostream.web.foxglove;
