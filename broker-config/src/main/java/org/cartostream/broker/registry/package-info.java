/** Registry of robots and services: ephemeral nodes in ZooKeeper, and how ZooKeeper is reached. */
package org.cartostream.broker.registry;
