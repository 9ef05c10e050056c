/** Journal of a run on the gateway's disk, so that another process can go on with it. */
package org.cartostream.gateway.journal;
