/** The typed streams between the components, their messages, and how these cross processes. */
package org.cartostream.topology.stream;
