/**
 * Text files: read line by line within bounds, unpacked on the way; written whole or not at all.
 */
package org.cartostream.slam.file;
