/** The service's settings, and the form in which they reach workers. */
package org.cartostream.topology.settings;
