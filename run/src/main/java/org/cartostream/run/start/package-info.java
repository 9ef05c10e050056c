/** Where in a known map a run begins: the search for its robot, and the check of what is said. */
package org.cartostream.run.start;
