/**
 * Many simulated robots at once against a cluster, for long: whether it keeps up, and stays as it
 * is.
 */
package org.cartostream.cli.soak;
