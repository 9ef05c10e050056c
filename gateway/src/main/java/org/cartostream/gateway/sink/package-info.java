/** Where a run's maps and path go: files, or whatever implements Sink. */
package org.cartostream.gateway.sink;
