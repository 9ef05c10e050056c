/**
 * Exchanges, queues, routing keys, users and their permissions; RabbitMQ's own files
 * (definitions.json, rabbitmq.conf) that declare the same ones.
 */
package org.cartostream.broker.names;
