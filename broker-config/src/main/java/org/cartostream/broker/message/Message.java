package org.cartostream.broker.message;

/** A message that crosses the broker; {@code BrokerNames.route} is the way of each kind. */
public sealed interface Message
    permits ReadingMessage,
        EndMessage,
        GoneMessage,
        OutcomeMessage,
        MissingMessage,
        PoseMessage,
        ParticlesMessage,
        LoopsMessage,
        MapMessage,
        MapMessage.ForObservers,
        TrajectoryMessage,
        FinishedMessage,
        WorkerMessage {}
