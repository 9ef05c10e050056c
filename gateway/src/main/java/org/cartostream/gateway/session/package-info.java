/**
 * The protocol of one run with the service: numbered readings, credit, resending, the map put
 * together from its tiles, the final results.
 */
package org.cartostream.gateway.session;
