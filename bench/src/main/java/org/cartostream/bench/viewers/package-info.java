/** What viewers of a service's page cost the service. */
package org.cartostream.bench.viewers;
