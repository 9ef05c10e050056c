/** Commands that measure. */
package org.cartostream.bench.command;
