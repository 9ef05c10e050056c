/** RabbitMQ nodes: the environment of their scripts, their start and stop. */
package org.cartostream.broker.rabbitmq;
