/**
 * AMQP connections that outlive the broker's outages: settings, address, TLS, outbox, confirms,
 * subscriptions.
 */
package org.cartostream.broker.connection;
