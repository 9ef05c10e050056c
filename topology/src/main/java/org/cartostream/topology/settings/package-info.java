/** How the service runs: its settings, and how they travel to the workers. */
package org.cartostream.topology.settings;
