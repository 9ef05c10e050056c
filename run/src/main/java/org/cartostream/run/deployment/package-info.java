/** Deployments of a run's broker and service: this JVM or a cluster. */
package org.cartostream.run.deployment;
