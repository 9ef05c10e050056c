/** What a cluster consists of: hosts, ports, folder on disk, passwords. */
package org.cartostream.deploy.spec;
