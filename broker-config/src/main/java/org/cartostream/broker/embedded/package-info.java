/** Broker inside this JVM (Apache Qpid Broker-J), for runs on one computer. */
package org.cartostream.broker.embedded;
