package org.cartostream.topology.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.utils.Utils;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.timing.KeyFrameTiming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What crosses from worker to worker. */
@Quick
class KryoRegistrationTest {

  private static final Map<String, Object> CONF = configuration();
  private static final Run ROBOT_RUN = new Run("r-1", 1_700_000_000_000L, 7);

  private static Map<String, Object> configuration() {
    Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    KryoRegistration.registerWithStorm(conf);
    return conf;
  }

  static List<Payload> payloads() {
    Reading reading = Drive.readings(1, 1).get(0);
    Step step =
        new Step(
            7,
            8,
            true,
            false,
            true,
            false,
            new Pose(0.1, -0.0, 3),
            new Pose(0.2, 0, -3),
            new Pose(0.1, -0.02, 0.03),
            0.2,
            reading.scan(),
            null);
    ParticleWeights particleWeights =
        new ParticleWeights(
            7,
            new int[] {1, 4},
            new double[] {0.5, Double.MIN_VALUE},
            new double[] {-1, -0.0},
            new double[] {3, 1e-300},
            new double[] {-5, -7.25},
            new long[] {100, 1L << 40},
            99,
            2.5,
            false);
    Resampling resampling = new Resampling(7, true, new int[] {1, 1, 0}, 1.5, 0.5, 1, 0.25);
    ParticleMove[] particleMoves = {new ParticleMove(1, 0, 1, new int[] {0, 2}, 5, 1)};
    ParticleTransfer particleTransfer =
        new ParticleTransfer(
            7,
            1,
            new int[] {0, 2},
            new Pose(1, 2, 3),
            5,
            new Pose[] {new Pose(4, 5, -0.0)},
            new byte[] {1, -1},
            true);
    KeyFrameTiming keyFrameTiming = new KeyFrameTiming(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    CheckpointPart part = new CheckpointPart("matchers-1", 1L << 40, "0a".repeat(32), true);
    RecoveryReport recovery = new RecoveryReport(2, 5, 3, 1L << 40, "Full");
    Payload.Restore restore =
        new Payload.Restore(
            ROBOT_RUN, 6, 5, new CheckpointPart[] {part}, recovery, "It failed", null);
    return List.of(
        new Payload.Arrival.OfReading(ROBOT_RUN, 7, reading, 6, null, null),
        new Payload.Arrival.OfEnd(ROBOT_RUN, 7, 8, 6),
        new Payload.Arrival.OfGone(ROBOT_RUN, 7, 9),
        new Payload.KeyFrame(ROBOT_RUN, step, true),
        new Payload.TaskWeights(ROBOT_RUN, 1, new WeightReport(particleWeights, 5, 0)),
        new Payload.ResamplingDecision(ROBOT_RUN, resampling, new int[] {0, 1, 1}, particleMoves),
        new Payload.ResamplingResult(
            ROBOT_RUN, particleWeights, new int[] {0, 1, 1}, resampling, 5),
        new Payload.ParticleDelivery(ROBOT_RUN, particleTransfer),
        new Payload.CollectiveResult(ROBOT_RUN, 7, new byte[][] {{1, 2}, {}}, "all well"),
        new Payload.ContinueWork(ROBOT_RUN, 7),
        new Payload.Ready(ROBOT_RUN, 7, keyFrameTiming, 1L << 40),
        new Payload.ResponseSent(ROBOT_RUN, 7, true),
        new Payload.PauseMaps(ROBOT_RUN, 7),
        new Payload.Admitted(ROBOT_RUN, step, 6, 2, false),
        new Payload.Served(ROBOT_RUN, 7, 8, 9, new KeyFrameTiming[] {keyFrameTiming}),
        new Payload.MapMemoryUse(ROBOT_RUN, 7, 1L << 40, 1L << 41),
        new Payload.MemoryPressure(ROBOT_RUN, "It is full"),
        new Payload.ReadingRefused(ROBOT_RUN, 7, 8, "NO_BEAMS", "It has none"),
        new Payload.ReadingLost(ROBOT_RUN, 7, 8, "Gone"),
        new Payload.DuplicateReading(ROBOT_RUN, 7),
        new Payload.ResendRequest(ROBOT_RUN, 7, 8),
        new Payload.Ended(ROBOT_RUN, 7, 8, 6, recovery, "Broken"),
        new Payload.BackgroundDone(ROBOT_RUN),
        new Payload.OffloadDone(ROBOT_RUN),
        new Payload.Failed(ROBOT_RUN, "Matchers", true, 7, "It failed"),
        new Payload.CheckpointBarrier(ROBOT_RUN, 2, true),
        new Payload.Stored(ROBOT_RUN, 2, part, new CheckpointPart[] {part}, 9, "Disk full"),
        restore,
        new Payload.Restored(ROBOT_RUN, "matchers-1", restore, new byte[] {3, -3}, 7, "Torn"),
        new Payload.RunKeepAlive(ROBOT_RUN),
        new Payload.RunClosed(ROBOT_RUN, true, false));
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void everyPayloadArrivesAsItLeft(Payload payload) {
    byte[] bytes = new KryoValuesSerializer(CONF).serialize(List.of("r-1", payload));
    Object arrived = new KryoValuesDeserializer(CONF).deserialize(bytes).get(1);
    assertThat(arrived).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(payload);
  }

  @Test
  void noPayloadIsForgottenHere() {
    Set<Class<?>> tested = new java.util.HashSet<>();
    payloads().forEach(payload -> tested.add(payload.getClass()));
    assertThat(KryoRegistration.classes().stream().filter(Payload.class::isAssignableFrom))
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  @Test
  void whatIsNotRegisteredDoesNotLeave() {
    record Stranger(int number) {}
    KryoValuesSerializer serializer = new KryoValuesSerializer(CONF);
    assertThatThrownBy(() -> serializer.serialize(List.of("r-1", new Stranger(1))))
        .hasMessageContaining("Class is not registered");
  }
}
