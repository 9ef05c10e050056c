/**
 * Particles on their way from one task to another, with the part of their maps that the other side
 * lacks.
 */
package org.cartostream.slam.transfer;
