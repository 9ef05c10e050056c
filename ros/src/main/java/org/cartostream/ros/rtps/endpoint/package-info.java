/**
 * Writers and readers of RTPS (OMG, DDSI-RTPS 2.3, 8.4): histories, fragments, what is sent again
 * and what is acknowledged. They know no sockets and no discovery.
 */
package org.cartostream.ros.rtps.endpoint;
