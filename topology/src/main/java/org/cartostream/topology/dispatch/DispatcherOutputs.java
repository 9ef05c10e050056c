package org.cartostream.topology.dispatch;

import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.run.IdleTimer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;

/** The streams on which the dispatcher sends. */
final class DispatcherOutputs {

  final StreamOutput<Payload.KeyFrame> keyFrames;
  final StreamOutput<Payload.Admitted> admitted;
  final StreamOutput<Payload.PauseMaps> pauseMaps;
  final StreamOutput<Payload.Served> served;
  final StreamOutput<Payload.ReadingRefused> refused;
  final StreamOutput<Payload.ReadingLost> lost;
  final StreamOutput<Payload.DuplicateReading> duplicate;
  final StreamOutput<Payload.ResendRequest> resendRequest;
  final StreamOutput<Payload.Ended> ended;
  final StreamOutput<Payload.RunClosed> runClosed;
  final StreamOutput<Payload.RunKeepAlive> keepAlive;
  final StreamOutput<Payload.CheckpointBarrier> barriers;
  final StreamOutput<Payload.Stored> stored;
  final StreamOutput<Payload.Restore> restore;
  final StreamOutput<Payload.Restored> restored;

  DispatcherOutputs(StreamPorts<Component.Dispatcher> ports) {
    keyFrames = ports.out(Streams.KEY_FRAMES);
    admitted = ports.out(Streams.ADMITTED);
    pauseMaps = ports.out(Streams.PAUSE_MAPS);
    served = ports.out(Streams.SERVED);
    refused = ports.out(Streams.REFUSED);
    lost = ports.out(Streams.LOST);
    duplicate = ports.out(Streams.DUPLICATE);
    resendRequest = ports.out(Streams.RESEND_REQUEST);
    ended = ports.out(Streams.ENDED);
    runClosed = ports.out(Streams.RUN_CLOSED);
    keepAlive = ports.out(Streams.KEEP_ALIVE);
    barriers = ports.out(Streams.BARRIERS);
    stored = ports.out(Streams.STORED);
    restore = ports.out(Streams.RESTORE);
    restored = ports.out(Streams.RESTORED);
  }

  /** Reports that a reading will not be used. */
  void refuse(Run run, Payload.Arrival.OfReading reading, Refusal.Reason why) {
    String refusal = why.refusal().name();
    refused.emit(
        new Payload.ReadingRefused(
            run, reading.sequence(), reading.stampNanos(), refusal, why.toString()));
  }

  /** Tells all components to forget a run, see {@link Payload.RunClosed}. */
  void release(Run run, boolean answered) {
    runClosed.emit(new Payload.RunClosed(run, true, answered));
  }

  /** Sends a keep-alive if one is due: components that do not have the run's state report that. */
  void keepAliveIfDue(Run run, IdleTimer idleTimer, long now) {
    if (idleTimer.isKeepAliveDue(now)) {
      keepAlive.emit(new Payload.RunKeepAlive(run));
    }
  }

  /** Reports that the outcome of a reading is not known. */
  void reportLost(Run run, Payload.Arrival.OfReading reading, String sentence) {
    lost.emit(new Payload.ReadingLost(run, reading.sequence(), reading.stampNanos(), sentence));
  }
}
