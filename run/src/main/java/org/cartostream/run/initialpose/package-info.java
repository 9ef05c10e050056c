/** Beginning of a run in a known map: the search for its robot, and the check of what is said. */
package org.cartostream.run.initialpose;
