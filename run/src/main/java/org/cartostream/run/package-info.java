/** One run from a log or a live robot to the report. */
package org.cartostream.run;
