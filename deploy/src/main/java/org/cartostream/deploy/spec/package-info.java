/** Description of a cluster: hosts, ports, folder on disk, passwords. */
package org.cartostream.deploy.spec;
