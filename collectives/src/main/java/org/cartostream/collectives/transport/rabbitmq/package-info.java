/** Members that reach a broker only: one exclusive queue each. */
package org.cartostream.collectives.transport.rabbitmq;
