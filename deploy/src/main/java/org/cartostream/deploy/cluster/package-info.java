/** A cluster's life: up, status, health, logs, down. */
package org.cartostream.deploy.cluster;
