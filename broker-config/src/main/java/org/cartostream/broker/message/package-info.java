/**
 * The messages between gateway and service, and the protocol that both keep to.
 *
 * <p>A gateway sends {@link org.cartostream.broker.message.Envelope}s with a {@link
 * org.cartostream.broker.message.ReadingMessage} each, numbered 1, 2, 3 … and at the end one {@link
 * org.cartostream.broker.message.EndMessage}. The service owes it exactly one {@link
 * org.cartostream.broker.message.OutcomeMessage} for each of these numbers, and after the end, in
 * this order, the parts of the {@link org.cartostream.broker.message.TrajectoryMessage}, the last
 * {@link org.cartostream.broker.message.MapMessage} and the {@link
 * org.cartostream.broker.message.FinishedMessage}. If the service fails at a run, all that is open
 * and all that comes later is lost, with the reason, which the report repeats.
 *
 * <p>Loops are closed while the robot drives. A pose is the filter's own, local one and the {@link
 * org.cartostream.slam.trajectory.Correction} that carries it to the {@code map} frame; the
 * correction's number never falls within a run, and a map says which one it shows. Maps come after
 * the poses, so that theirs may be older for a while.
 *
 * <p>The broker may deliver a message twice, and a gateway sends again what is unanswered after an
 * outage, and its last reading while its robot stands still. So both sides keep to this:
 *
 * <ul>
 *   <li>Each run of a gateway has a number of its own. A robot has one gateway at a time and one
 *       way to the service, so a number that the service does not know is that of a new run when
 *       the run's first reading comes: it begins the robot's filter afresh, and drops what still
 *       comes of the runs before. A later reading of such a number is one of these, or comes before
 *       the first; while the service has a run of the robot it drops that, too, and does not end
 *       the run for it.
 *   <li>A service never processes a number of the same run twice. If it has answered the number, it
 *       sends the same outcome again; if the end comes again after it was answered, it sends the
 *       trajectory, the map and the report again, or a report that they are gone. Before that,
 *       while they are being made, it sends the latest pose again, as a sign that it is at work.
 *   <li>A gateway keeps what it has sent until it is durable ({@link
 *       org.cartostream.broker.message.OutcomeMessage#durable}). The service asks for what it lacks
 *       by a {@link org.cartostream.broker.message.ResendRequestMessage}; the gateway sends it
 *       again, or says by a {@link org.cartostream.broker.message.UnavailableMessage} that it has
 *       it no more. Only then is it lost.
 *   <li>A gateway drops the second outcome of a number, and every answer to another run.
 * </ul>
 */
package org.cartostream.broker.message;
