/**
 * Who is there now: robots' gateways and services, as ephemeral nodes in ZooKeeper ({@link
 * org.cartostream.broker.register.Register}).
 */
package org.cartostream.broker.register;
