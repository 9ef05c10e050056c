package org.cartostream.broker.message;

/**
 * Message that crosses the broker; {@code BrokerNames.route} tells the route of each kind. A
 * message's fields are the components of its record, as {@code Codec} writes them: a new field, or
 * a new kind of message in the list below, comes behind the others.
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
        WorkerMessage,
        DroppedMessage {}
