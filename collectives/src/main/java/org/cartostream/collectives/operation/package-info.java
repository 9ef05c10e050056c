/**
 * Parameters and results of a collective call: operation, key, algorithm, completion, future and
 * failure; and the settings of a group.
 */
package org.cartostream.collectives.operation;
