/**
 * Transport through a RabbitMQ broker, for members that cannot reach each other; each has an
 * exclusive queue.
 */
package org.cartostream.collectives.transport.rabbitmq;
