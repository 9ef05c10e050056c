/** Everything that the algorithm's answer depends on besides the readings. */
package org.cartostream.slam.settings;
