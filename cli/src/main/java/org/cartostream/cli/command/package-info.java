/** The commands that need no cluster: runs, their pages and files, checkpoints, settings. */
package org.cartostream.cli.command;
