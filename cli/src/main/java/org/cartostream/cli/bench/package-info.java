/** The commands that measure. */
package org.cartostream.cli.bench;
