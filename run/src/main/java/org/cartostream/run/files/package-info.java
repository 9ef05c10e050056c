/** Files of a run: logs, data sets, output folders. */
package org.cartostream.run.files;
