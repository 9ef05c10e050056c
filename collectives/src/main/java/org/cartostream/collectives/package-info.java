/**
 * Collective operations of a group's tasks: barrier, broadcast, all-gather and all-to-all.
 * Independent of Storm. Beside them, a {@link
 * org.cartostream.collectives.broadcast.ProcessBroadcast} brings one process' messages to all
 * others in their order, without a call of theirs.
 *
 * <p>A group has {@code n} members with ranks 0 to n - 1. Each opens a {@link
 * org.cartostream.collectives.transport.GroupChannel} and a {@link
 * org.cartostream.collectives.Communicator} on it:
 *
 * <ul>
 *   <li>{@code memory}: members in one JVM;
 *   <li>{@code shared-memory}: rings of bytes between members on one host, TCP to other hosts;
 *   <li>{@code tcp}: members that reach each other, with TLS if wanted; a {@link
 *       org.cartostream.collectives.membership.GroupMembership} knows their addresses;
 *   <li>{@code rabbitmq}: members that can reach a broker only.
 * </ul>
 *
 * <p>These are plug-ins, see {@link org.cartostream.collectives.transport.GroupTransport}.
 *
 * <h2>One operation</h2>
 *
 * Every member calls the same operation with the same {@link
 * org.cartostream.collectives.operation.OperationKey}: a robot, its epoch and a round. Members may
 * serve robots in any order, and need not be in the same round at the same time: frames that come
 * before a member's call wait at that member. Each member enters a robot's rounds in growing order.
 * If members call different operations in one round, or with different roots, all their calls end
 * with an error.
 *
 * <h2>Threads</h2>
 *
 * No operation blocks. A call sends the frames that it can send and returns a {@link
 * org.cartostream.collectives.operation.CollectiveFuture}: a future that always ends, after {@code
 * timeoutMillis} at the latest. Callbacks run in the thread that ends the call: the caller's,
 * another member's (in memory), Netty's, the RabbitMQ client's, the publisher's, the membership's
 * or the clock's. So callbacks must be short and must not wait. Only {@link
 * org.cartostream.collectives.operation.CollectiveFuture#await} blocks. Opening a channel may block
 * for {@code connectTimeoutMillis} or so, and closing it as well.
 *
 * <h2>Owners of buffers</h2>
 *
 * A payload's array may be changed as soon as the call has returned. The arrays of a result belong
 * to the member, which may give them back for reuse ({@link
 * org.cartostream.collectives.Communicator#reuse}). The one exception: a broadcast's root gets the
 * very array that it gave.
 *
 * <h2>Large payloads</h2>
 *
 * A payload of more than {@code maxFrameBytes} is not sent but offered (a rendezvous): once a
 * receiver has called the operation, too, it fetches the payload in parts of {@code partBytes},
 * eight at a time. So no large payload waits for a member that is late, a broker sees small
 * messages only, and messages of other robots on the same connection come in between. The price is
 * a copy, which the sender keeps until the last receiver has fetched it; the sender's call does not
 * end before that. Receivers that have died are not waited for. When the time is up, or the call
 * fails at another member, a sender that has its own result ends well, and nobody can fetch its
 * payload any more. In memory, where no bytes travel, a payload is fetched in one part. The largest
 * payload is {@code maxPayloadBytes}; a call refuses a larger one at once.
 *
 * <h2>Credit</h2>
 *
 * A smaller payload is sent at once, before its receiver has called, as long as the sender has
 * credit there; beyond that it is offered like a large one. So a member that is late slows those
 * that send to it, by their calls' ends, and nobody else: what waits there has at most half of
 * {@code maxWaitingBytes}, which its senders share.
 *
 * <h2>When a call ends</h2>
 *
 * A call ends as soon as this member has its result, and the others have fetched its payloads that
 * were offered, or are gone. A broadcast's root then ends at once; barrier, all-gather and
 * all-to-all end after all members have called.
 *
 * <h2>When something fails</h2>
 *
 * Every call of the round that has not ended ends with a {@link
 * org.cartostream.collectives.operation.CollectiveException}, which names the members that caused
 * the failure; only calls whose result is complete end well. A member that finds a failure reports
 * it to all, so that a member that calls later learns of it at once.
 *
 * <ul>
 *   <li>{@code LOST}: the channel or the membership reports that a member is gone. Within a robot's
 *       epoch the loss is final; a later epoch counts on that rank again.
 *   <li>{@code LATE}: the time is up. Every payload must arrive within the timeout, however large
 *       it is. From half of the time on, members ask those that are not known to have called
 *       whether they have; the exception names members that do not answer, and not a neighbour that
 *       itself waits for them.
 *   <li>{@code FENCED}: the call's epoch is over. As soon as a message of a later epoch comes,
 *       calls of earlier epochs fail.
 *   <li>{@code MISMATCH}: a member has called another operation in this round.
 *   <li>{@code OVERFLOW}: there is no memory for a payload, or a member knows too many robots.
 *   <li>{@code CLOSED}: this member has left. Its leaving does not abort the others' calls: calls
 *       that need no more of its messages end well, and calls that lack some fail with {@code
 *       LOST}.
 * </ul>
 *
 * Messages of an older epoch and of rounds that are over are dropped and counted ({@link
 * org.cartostream.collectives.operation.DropCounts}), and their sender is notified.
 *
 * <h2>Sums</h2>
 *
 * There are none: who adds up floating-point numbers gathers them, and adds in rank order, so that
 * the sum is the same to the last bit.
 *
 * <h2>In a bolt</h2>
 *
 * A bolt of Storm must not wait in {@code execute}, and its state belongs to its own thread, while
 * a call ends in another thread. So the callback only sends the bolt a message, and the bolt
 * continues when that message comes. An example with two rounds for each reading:
 *
 * <pre>{@code
 * // prepare: all tasks of a worker meet in the same group
 * communicator = Communicator.open(GroupTransport.named("memory").channel(seat), settings);
 *
 * // execute, once this task has weighed its particles; returns at once
 * communicator
 *     .allGather(new OperationKey(robot, epoch, 2 * reading), weights)
 *     .whenComplete((all, failure) -> emitToMyself(GATHERED, all, failure));
 *
 * // execute, of a message of GATHERED
 * if (failure != null) {
 *   begin(robot, epoch + 1);                  // a member is gone or late
 * } else {
 *   byte[][] parcels = resample(all);         // the same at every task; particles by rank of their new task
 *   communicator
 *       .allToAll(new OperationKey(robot, epoch, 2 * reading + 1), parcels)
 *       .whenComplete((arrived, lost) -> emitToMyself(EXCHANGED, arrived, lost));
 * }
 * }</pre>
 *
 * <h2>Inside</h2>
 *
 * A {@code Member} takes calls, frames and the time, and hands each to the {@code RobotRounds} of
 * its robot, which keeps {@code Round}s. A round runs the {@code AlgorithmPhase} of its {@code
 * OperationPlan}: {@code BruckAllGather} (all-gather and barrier of many members) or {@code
 * DirectExchange}, state machines that take parts in any order, and know neither threads nor time
 * nor channels. A part that is too long for a frame, or beyond the credit, goes by a round's {@code
 * RendezvousSend} at the sender and a {@code RendezvousReceive} at each receiver; phases do not
 * notice.
 */
package org.cartostream.collectives;
