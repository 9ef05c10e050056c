/**
 * What both sides of the broker agree on before the first message: robot ids, the version, and why
 * a message is refused.
 */
package org.cartostream.broker;
