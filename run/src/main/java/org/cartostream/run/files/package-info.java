/** What a run reads and writes: logs, data sets, output folders. */
package org.cartostream.run.files;
