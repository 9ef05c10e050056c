/**
 * Message patterns of collective operations: each is one phase of an operation, as a state machine
 * that knows neither threads nor time nor channels.
 */
package org.cartostream.collectives.algorithm;
