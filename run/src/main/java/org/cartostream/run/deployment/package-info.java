/** Where a run's broker and service are: this JVM or a cluster. */
package org.cartostream.run.deployment;
