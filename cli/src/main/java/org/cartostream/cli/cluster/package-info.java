/** The commands about a cluster. */
package org.cartostream.cli.cluster;
