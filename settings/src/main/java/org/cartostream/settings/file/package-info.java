/** Checks of files and texts that come from outside, and the end of folders. */
package org.cartostream.settings.file;
