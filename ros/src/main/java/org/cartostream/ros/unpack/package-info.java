/** Limits on how much of a file's content is brought into memory, or unpacked to the disk. */
package org.cartostream.ros.unpack;
