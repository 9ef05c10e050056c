package org.cartostream.topology.dispatch;

import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.run.RobotSilence;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;

/** The dispatcher's streams. */
final class DispatcherOutputs {

  final StreamOutput<Payload.KeyFrame> keyFrames;
  final StreamOutput<Payload.Admitted> admitted;
  final StreamOutput<Payload.HoldMaps> holdMaps;
  final StreamOutput<Payload.Served> served;
  final StreamOutput<Payload.ReadingRefused> refused;
  final StreamOutput<Payload.ReadingLost> lost;
  final StreamOutput<Payload.ReadingRepeated> repeated;
  final StreamOutput<Payload.ReadingsMissing> missing;
  final StreamOutput<Payload.Ended> ended;
  final StreamOutput<Payload.RunReleased> released;
  final StreamOutput<Payload.RunKeepAlive> keepAlive;
  final StreamOutput<Payload.Mark> marks;
  final StreamOutput<Payload.Stored> stored;
  final StreamOutput<Payload.Restore> restore;
  final StreamOutput<Payload.Restored> restored;

  DispatcherOutputs(StreamPorts<Component.Dispatcher> ports) {
    keyFrames = ports.out(Streams.KEY_FRAMES);
    admitted = ports.out(Streams.ADMITTED);
    holdMaps = ports.out(Streams.HOLD_MAPS);
    served = ports.out(Streams.SERVED);
    refused = ports.out(Streams.REFUSED);
    lost = ports.out(Streams.LOST);
    repeated = ports.out(Streams.REPEATED);
    missing = ports.out(Streams.MISSING);
    ended = ports.out(Streams.ENDED);
    released = ports.out(Streams.RELEASED);
    keepAlive = ports.out(Streams.KEEP_ALIVE);
    marks = ports.out(Streams.MARKS);
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

  /** Has those who hold something of a run let go of it, see {@link Payload.RunReleased}. */
  void release(Run run, boolean answered) {
    released.emit(new Payload.RunReleased(run, true, answered));
  }

  /** Sends a keep-alive if one is due: components that do not know the run answer it. */
  void keepAliveIfDue(Run run, RobotSilence silence, long now) {
    if (silence.isKeepAliveDue(now)) {
      keepAlive.emit(new Payload.RunKeepAlive(run));
    }
  }

  /** Reports that the outcome of a reading is not known. */
  void reportLost(Run run, Payload.Arrival.OfReading reading, String sentence) {
    lost.emit(new Payload.ReadingLost(run, reading.sequence(), reading.stampNanos(), sentence));
  }
}
