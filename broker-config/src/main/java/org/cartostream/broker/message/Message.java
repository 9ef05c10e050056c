package org.cartostream.broker.message;

import org.cartostream.broker.names.BrokerNames;

/** What can be said across the broker. {@link BrokerNames#route} says which way each kind goes. */
public sealed interface Message
    permits ReadingMessage,
        EndMessage,
        OutcomeMessage,
        PoseMessage,
        MapMessage,
        TrajectoryMessage,
        FinishedMessage {}
