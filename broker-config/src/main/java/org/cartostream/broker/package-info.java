/**
 * The broker between gateways and services. This package itself contains what both agree on before
 * the first message: robot ids, the version, and the reasons for which a message is refused.
 *
 * <ul>
 *   <li>{@code message}: the messages, and the protocol that both sides keep to
 *   <li>{@code codec}: messages as bytes
 *   <li>{@code names}: exchanges, queues and users
 *   <li>{@code connection}: a connection that outlives the broker's outages
 *   <li>{@code embedded}: a broker inside this JVM
 *   <li>{@code rabbitmq}: RabbitMQ nodes
 *   <li>{@code registry}: the registry of robots and services in ZooKeeper
 * </ul>
 */
package org.cartostream.broker;
