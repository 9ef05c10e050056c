/**
 * A recorded run: one entry per scan, a reading or the reason why it is none; and what a format of
 * such runs has to say of itself.
 */
package org.cartostream.slam.log;
