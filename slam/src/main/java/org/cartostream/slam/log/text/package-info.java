/** Opens and reads logs in text formats: CARMEN, and g2o with CARMEN's scan lines. */
package org.cartostream.slam.log.text;
