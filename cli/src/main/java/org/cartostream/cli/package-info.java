/** The main class, and the root of all commands. */
package org.cartostream.cli;
