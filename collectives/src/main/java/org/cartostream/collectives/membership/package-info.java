/** The register of group members and their addresses: ephemeral nodes in ZooKeeper. */
package org.cartostream.collectives.membership;
