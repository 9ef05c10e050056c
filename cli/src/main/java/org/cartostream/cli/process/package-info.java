/** The process of a command: arguments, signals, streams, exit code. It knows no command. */
package org.cartostream.cli.process;
