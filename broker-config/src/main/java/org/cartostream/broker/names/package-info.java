/**
 * Exchanges, queues, routing keys, users and their permissions; RabbitMQ's own files
 * (definitions.json, rabbitmq.conf) with the same.
 */
package org.cartostream.broker.names;
