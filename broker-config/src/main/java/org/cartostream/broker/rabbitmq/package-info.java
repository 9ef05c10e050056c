/** A RabbitMQ node of its own: how its scripts are told of it, and its start and stop. */
package org.cartostream.broker.rabbitmq;
