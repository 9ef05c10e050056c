/**
 * Collective operations of a group's tasks: barrier, broadcast, scatter, gather, all-gather,
 * reduce, all-reduce and all-to-all. Independent of Storm.
 *
 * <p>A group has {@code n} members with ranks 0 to n - 1. Each opens a {@link
 * org.cartostream.collectives.transport.GroupChannel} and a {@link
 * org.cartostream.collectives.Communicator} on it:
 *
 * <ul>
 *   <li>{@link org.cartostream.collectives.transport.memory.MemoryGroup}: members in one JVM;
 *   <li>{@link org.cartostream.collectives.transport.tcp.TcpChannel}: members that reach each
 *       other, with TLS if wanted; a {@link org.cartostream.collectives.membership.GroupMembership}
 *       has their addresses;
 *   <li>{@link org.cartostream.collectives.transport.rabbitmq.RabbitMqChannel}: members that reach
 *       a broker only.
 * </ul>
 *
 * <h2>One operation</h2>
 *
 * Every member calls the same operation with the same {@link
 * org.cartostream.collectives.operation.RoundKey}: a robot, its epoch and a round. Members may meet
 * robots in any order, and need not be in the same round at the same time: what comes before a
 * member's call waits there, up to {@code maxWaitingBytes}. Rounds of a robot are entered in
 * growing order. If members call different operations in one round, or with different roots, all
 * their calls end with an error.
 *
 * <h2>Who blocks</h2>
 *
 * Nobody. A call sends what it can and returns a {@link
 * org.cartostream.collectives.operation.CollectiveFuture}: a future that always ends, after {@code
 * timeoutMillis} at the latest. Callbacks run in the thread that brings the end: the caller's,
 * another member's (in memory), Netty's, the RabbitMQ client's or the publisher thread's, that of
 * group's membership, or the clock's. There they must be short and may not wait. Only {@link
 * org.cartostream.collectives.operation.CollectiveFuture#await} blocks. Opening a channel may block
 * for {@code connectTimeoutMillis} or so, and closing it as well.
 *
 * <h2>Whose a buffer is</h2>
 *
 * What a member gives may be changed as soon as the call has returned. What a call brings belongs
 * to the member, which may give it back for reuse ({@link
 * org.cartostream.collectives.Communicator#reuse}). The one exception: a broadcast brings its root
 * the very array that it gave.
 *
 * <h2>What is large</h2>
 *
 * A payload of more than {@code maxFrameBytes} is not sent but offered; whoever has called, too,
 * fetches it in parts of {@code partBytes}, eight at a time. So nothing large waits for a member
 * that is late, a broker sees small messages only, and those of other robots on the same connection
 * come in between. What it costs is a copy, kept by the member that gives it until the last has
 * fetched it; and such a member's call does not end before that, even alone. Who has died is not
 * waited for; and when time is up, or the call fails elsewhere, it ends well alone at a member that
 * has what is its own, though nobody can fetch the rest any more. In memory, where nothing is on
 * its way, it comes in one part. What trees and rings relay is cut already; from a quarter of
 * {@code maxWaitingBytes} on, it goes whole, and so it is fetched as well. A payload may have
 * {@code maxPayloadBytes}: the call itself refuses a larger one.
 *
 * <h2>When a call ends</h2>
 *
 * {@link org.cartostream.collectives.operation.CompletionMode#TOGETHER}, the default: if it ends
 * well at one member, then all have called it and have what is theirs. {@link
 * org.cartostream.collectives.operation.CompletionMode#ALONE}: as soon as this member has what is
 * its own, and what is large was fetched of it, as far as it will be; which for a broadcast's root
 * is at once, and for barrier, all-gather, all-reduce and all-to-all not before all have called; it
 * saves one barrier. No agreement can be perfect: if a member dies in the last step of the barrier
 * that ends a round together, some may have ended well.
 *
 * <h2>When something fails</h2>
 *
 * The call of every member that has not ended, unless it ends alone and has what is its own, ends
 * with a {@link org.cartostream.collectives.operation.CollectiveException}, which names the members
 * that it is because of. A member that finds the failure reports it to all; so one that calls later
 * learns at once.
 *
 * <ul>
 *   <li>{@code LOST}: the channel, or the membership, reports that a member is gone. Within a
 *       robot's epoch that is final; a later epoch counts on the member again.
 *   <li>{@code LATE}: time is up, also for what still comes: a payload must be through within the
 *       timeout, however large it is, for whoever waits for the call counts on its end. From half
 *       of the time on, members ask those that are not known to have called whether they have; who
 *       does not answer is named, not the neighbour that waits itself.
 *   <li>{@code FENCED}: this member's epoch is over. An epoch is over as soon as a message of a
 *       later one comes, and what runs in it fails.
 *   <li>{@code MISMATCH}: a member does something else, or a reduction fails.
 *   <li>{@code OVERFLOW}: more would have to wait than may, or there is no memory for what comes.
 *   <li>{@code CLOSED}: this member has left. The others are not notified: those that have all that
 *       they need of it end well, and those that lack something find it {@code LOST}.
 * </ul>
 *
 * Messages of an older epoch and of rounds that are over are dropped, counted ({@link
 * org.cartostream.collectives.operation.DropCounts}), and their sender is notified.
 *
 * <h2>Sums</h2>
 *
 * Reductions are taken in rank order by every algorithm, ((p0 + p1) + p2) + …, so that sums of
 * floating-point numbers are the same to the last bit. The price: by doubling, all payloads go to
 * all and each member adds; for large ones take the ring, which adds on the way.
 *
 * <h2>In a bolt</h2>
 *
 * A bolt's {@code execute} may not wait, and its state belongs to its thread; a call ends in
 * another. So its callback does nothing but send the bolt a message, as to itself, and the bolt
 * goes on when that comes. With two rounds for each reading:
 *
 * <pre>{@code
 * // prepare: all tasks of a worker meet in the same group
 * communicator =
 *     Communicator.open(MemoryGroup.meet(topologyId, tasks, settings).channel(index), settings)
 *         .withCompletion(CompletionMode.ALONE);
 *
 * // execute, once this task has weighed its particles; returns at once
 * communicator
 *     .allGather(new RoundKey(robot, epoch, 2 * reading), weights)
 *     .whenComplete((all, failure) -> emitToMyself(GATHERED, all, failure));
 *
 * // execute, of a message of GATHERED
 * if (failure != null) {
 *   begin(robot, epoch + 1);                  // somebody is gone or late: without what is lost
 * } else {
 *   byte[][] parcels = resample(all);         // the same at every task; by rank, what moves there
 *   communicator
 *       .allToAll(new RoundKey(robot, epoch, 2 * reading + 1), parcels)
 *       .whenComplete((arrived, lost) -> emitToMyself(EXCHANGED, arrived, lost));
 * }
 * }</pre>
 *
 * <h2>Inside</h2>
 *
 * A {@code Member} takes calls, frames and the time, and hands each to the {@code RobotRounds} of
 * its robot, which keeps {@code Round}s. A round runs the phases of its {@code OperationPlan}, each
 * of them an {@code AlgorithmPhase}: {@code TreeBroadcast} (broadcast, all-gather), {@code
 * BruckAllGather} (all-gather, barrier), {@code DirectExchange} (scatter, gather, all-to-all) or
 * {@code RingReduction} (reductions along the ring): state machines that take parts in any order,
 * and know neither threads nor time nor channels. What is too long for a frame goes by a round's
 * {@code RendezvousSend} at the sender and a {@code RendezvousReceive} at each receiver; phases do
 * not know of it.
 */
package org.cartostream.collectives;
