/** The commands of one machine: replay, gateway, service, sim, evaluate, datasets, settings. */
package org.cartostream.cli.command;
