/**
 * The parts of a collective call: its operation, key, algorithm, completion, result and failure;
 * and the settings.
 */
package org.cartostream.collectives.operation;
