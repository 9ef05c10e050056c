/** Tables, plots and spreads in which measurements are shown. */
package org.cartostream.bench.table;
