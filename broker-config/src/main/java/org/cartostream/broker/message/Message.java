package org.cartostream.broker.message;

import org.cartostream.broker.names.BrokerNames;

/** A message that crosses the broker; {@link BrokerNames#route} is the way of each kind. */
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
