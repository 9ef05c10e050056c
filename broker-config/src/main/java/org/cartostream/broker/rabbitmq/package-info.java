/** A RabbitMQ node of its own: name, ports, files and environment for RabbitMQ's scripts. */
package org.cartostream.broker.rabbitmq;
