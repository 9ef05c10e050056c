/**
 * An AMQP connection that outlives the broker's outages: settings, address, TLS, outbox, confirms,
 * subscriptions.
 */
package org.cartostream.broker.connection;
