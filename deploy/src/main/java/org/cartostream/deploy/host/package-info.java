/** The hosts of a cluster, their roles, and how a shell script is run on one. */
package org.cartostream.deploy.host;
