/**
 * A recorded run, whatever its format: one entry per scan, a reading or the reason why it is none.
 */
package org.cartostream.slam.log;
