/** Members that reach each other by TCP, with TLS if wanted (Netty). */
package org.cartostream.collectives.transport.tcp;
