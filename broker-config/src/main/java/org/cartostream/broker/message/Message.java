package org.cartostream.broker.message;

/**
 * A message that crosses the broker; {@code BrokerNames.route} is the way of each kind. Its fields
 * are the components of its record, as {@code Codec} writes them: a new field, or a new kind here,
 * comes behind the others.
 */
public sealed interface Message
    permits ReadingMessage,
        EndMessage,
        UnavailableMessage,
        OutcomeMessage,
        ResendRequestMessage,
        PoseMessage,
        ParticlesMessage,
        LoopsMessage,
        MapMessage,
        MapMessage.ForObservers,
        TrajectoryMessage,
        FinishedMessage,
        WorkerMessage {}
