/**
 * The message patterns, one phase of an operation each, as state machines that know neither threads
 * nor time nor channels.
 */
package org.cartostream.collectives.algorithm;
