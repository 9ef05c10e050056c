/** Tables, plots and ranges in which measurements are shown. */
package org.cartostream.bench.table;
