/** Who is in a group and where: ephemeral nodes in ZooKeeper. */
package org.cartostream.collectives.membership;
