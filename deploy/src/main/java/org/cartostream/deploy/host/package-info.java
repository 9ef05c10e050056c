/** Hosts of a cluster, their roles, and shell scripts that run on them. */
package org.cartostream.deploy.host;
