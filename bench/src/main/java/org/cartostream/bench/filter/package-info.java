/** What the filter alone costs, by log and number of particles. */
package org.cartostream.bench.filter;
