/** How much of what a file holds is brought into memory, or unpacked to the disk. */
package org.cartostream.ros.unpack;
