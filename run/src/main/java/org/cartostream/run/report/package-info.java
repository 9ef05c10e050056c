/** Reports of a run: report.json and the summary on the screen. */
package org.cartostream.run.report;
