/** Log formats that are text, and their scan lines. */
package org.cartostream.slam.log.text;
