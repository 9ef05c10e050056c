/** The service in this JVM, in Storm's local cluster. */
package org.cartostream.topology.local;
