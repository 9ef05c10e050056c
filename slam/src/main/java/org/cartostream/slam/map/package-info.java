/**
 * The maps that particles match against, as persistent tiles, and the ray-traced map that is
 * published.
 */
package org.cartostream.slam.map;
