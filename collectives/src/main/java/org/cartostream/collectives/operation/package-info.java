/**
 * What a collective call is made of: its operation, key, algorithm, completion, result and failure;
 * and the settings.
 */
package org.cartostream.collectives.operation;
