/** Configuration of each server: ZooKeeper, RabbitMQ, Storm. */
package org.cartostream.deploy.server;
