/**
 * The tree of coordinate frames (tf): buffered transforms, interpolation, look-up with the reason
 * of a failure.
 */
package org.cartostream.gateway.ros.tf;
