/**
 * Messages between gateway and service, and the protocol that both keep to.
 *
 * <p>A gateway sends {@link org.cartostream.broker.message.Envelope}s with a {@link
 * org.cartostream.broker.message.ReadingMessage} each, numbered 1, 2, 3 … and at the end one {@link
 * org.cartostream.broker.message.EndMessage}. The service sends back exactly one {@link
 * org.cartostream.broker.message.OutcomeMessage} for each of these numbers, and after the end, in
 * this order, the parts of the {@link org.cartostream.broker.message.TrajectoryMessage}, the last
 * {@link org.cartostream.broker.message.MapMessage} and the {@link
 * org.cartostream.broker.message.FinishedMessage}. If a run fails at the service, all its readings
 * without an outcome and all later ones are lost; their outcomes tell the reason, and the report
 * repeats it.
 *
 * <p>Loops are closed while the robot drives. A pose consists of the filter's own, local pose and
 * the {@link org.cartostream.slam.trajectory.Correction} that carries it to the {@code map} frame;
 * the correction's number never falls within a run, and a map says which correction it shows. Maps
 * come after the poses, so that a map's correction may be older for a while.
 *
 * <p>The broker may deliver a message twice. A gateway sends readings again that are unanswered
 * after an outage, and its last reading while its robot stands still. So both sides keep to these
 * rules:
 *
 * <ul>
 *   <li>Each run of a gateway has a number of its own. A robot has one gateway at a time and one
 *       way to the service. So the first reading of a run that the service does not know begins a
 *       new run: the service begins the robot's filter afresh, and drops what still comes of
 *       earlier runs. A later reading of an unknown run belongs to an earlier run, or comes before
 *       the first reading of a new one; while the service has a run of the robot it drops that
 *       reading, too, and does not end the run for it.
 *   <li>A service never processes a number of the same run twice. If it has answered the number, it
 *       sends the same outcome again; if the end comes again after it was answered, it sends the
 *       trajectory, the map and the report again, or a report that they are gone. If the end comes
 *       again while these are being made, it sends the latest pose again, as a sign that it is at
 *       work.
 *   <li>A gateway keeps what it has sent until that is durable ({@link
 *       org.cartostream.broker.message.OutcomeMessage#durable}). The service asks for readings that
 *       it lacks by a {@link org.cartostream.broker.message.ResendRequestMessage}; the gateway
 *       sends them again, or says by an {@link org.cartostream.broker.message.UnavailableMessage}
 *       that it no longer has them. Only then are they lost.
 *   <li>A service that has no room for a message, or not for one so large, drops it without an
 *       outcome, and says so by a {@link org.cartostream.broker.message.DroppedMessage}.
 *   <li>A gateway drops the second outcome of a number, and every answer to another run.
 * </ul>
 */
package org.cartostream.broker.message;
