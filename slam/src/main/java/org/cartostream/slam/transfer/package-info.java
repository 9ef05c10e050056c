/**
 * Particles on their way from one task to another: what moves, what the other side has already,
 * what must go along.
 */
package org.cartostream.slam.transfer;
