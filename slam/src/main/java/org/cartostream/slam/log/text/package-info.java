/** Log formats that are text: CARMEN, and g2o with CARMEN's scan lines. */
package org.cartostream.slam.log.text;
