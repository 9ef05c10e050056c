/** Life of a cluster: up, status, health, logs, down. */
package org.cartostream.deploy.cluster;
