/** What more tasks give, measured here and modelled for more cores. */
package org.cartostream.bench.scale;
