/**
 * Message patterns of collective operations: state machines that know neither threads nor time nor
 * channels.
 */
package org.cartostream.collectives.algorithm;
