/**
 * Announcements by which participants of a domain find each other and their endpoints (OMG,
 * DDSI-RTPS 2.3, 8.5 and 9.6), and whether two endpoints can be matched.
 */
package org.cartostream.ros.rtps.discovery;
