/** Poses in the plane and the small matrices of their errors. */
package org.cartostream.slam.geometry;
