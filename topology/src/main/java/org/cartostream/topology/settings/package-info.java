/** The service's settings, and their way to the workers. */
package org.cartostream.topology.settings;
