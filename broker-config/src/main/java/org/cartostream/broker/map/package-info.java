/** Which of its map a robot lacks. */
package org.cartostream.broker.map;
