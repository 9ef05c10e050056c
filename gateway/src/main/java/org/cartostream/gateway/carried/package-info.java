/** Search for a robot in a map: one that may be anywhere, and one that was carried on the way. */
package org.cartostream.gateway.carried;
