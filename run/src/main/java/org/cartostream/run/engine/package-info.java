/** Engines that process a log: the filter alone, or gateway, broker and topology. */
package org.cartostream.run.engine;
