/** The commands that measure. */
package org.cartostream.bench.command;
