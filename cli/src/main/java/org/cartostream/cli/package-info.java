/** The process: arguments, signals, streams, exit code. */
package org.cartostream.cli;
