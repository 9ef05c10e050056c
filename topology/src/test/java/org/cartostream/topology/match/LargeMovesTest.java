package org.cartostream.topology.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.collectives.transport.tcp.TcpChannel;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.settings.Settings;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.ParticleMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.PayloadSerializer;
import org.cartostream.topology.stream.WeightReport;
import org.junit.jupiter.api.Test;

/** Particles that no frame of the collectives may hold change tasks, and the answer is the same. */
@Quick
class LargeMovesTest {

  private static final int TASKS = 3;
  private static final int PARTICLES = 12;
  private static final int FRAME_BYTES = 200;
  private static final Run RUN = new Run("r1", 1, 1);

  private static final CollectiveSettings NARROW =
      Settings.with(
          CollectiveSettings.defaults(),
          Map.of("maxFrameBytes", Integer.toString(FRAME_BYTES), "partBytes", "100"));

  private final FilterSettings filter = Filters.restless(PARTICLES);
  private final List<Reading> readings = Drive.readings(11, 40);

  @Test
  void inMemory() throws InterruptedException {
    MemoryGroup group = new MemoryGroup(TASKS, NARROW);
    assertRunsAsTheSerialFilter(IntStream.range(0, TASKS).mapToObj(group::channel).toList());
  }

  @Test
  void overTcp() throws Exception {
    try (TcpTransport transport = TcpTransport.plain(1)) {
      InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      List<TcpChannel> channels = new ArrayList<>();
      MemberDirectory memberDirectory = rank -> Optional.of(channels.get(rank).address());
      for (int task = 0; task < TASKS; task++) {
        channels.add(
            new TcpChannel(transport, "moves", task, TASKS, anyPort, memberDirectory, NARROW));
      }
      assertRunsAsTheSerialFilter(List.copyOf(channels));
    }
  }

  private void assertRunsAsTheSerialFilter(List<GroupChannel> groupChannels)
      throws InterruptedException {
    SerialFilter serial = new SerialFilter(filter, RUN.robot());
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      serial.process(sequence, readings.get(sequence - 1));
    }
    List<Communicator> members =
        groupChannels.stream()
            .map(groupChannel -> Communicator.open(groupChannel, NARROW))
            .toList();
    try {
      Tasks tasks = new Tasks(members);
      tasks.run();
      assertThat(tasks.trajectoryTree.bestPath().path())
          .isEqualTo(serial.trajectoryTree().bestPath().path());
      assertThat(tasks.large).as("blocks that no frame may hold").isGreaterThan(10);
    } finally {
      members.forEach(Communicator::close);
    }
  }

  /** Tasks that do all that real ones do in bsp, one after the other but for the exchange. */
  private final class Tasks {

    private final List<Communicator> members;
    private final ResamplingCoordinator resamplingCoordinator;
    private final PayloadSerializer payloadSerializer = new PayloadSerializer();
    private final TrajectoryTree trajectoryTree = new TrajectoryTree(filter);
    private final List<Partition<ParticleMap>> partitions = new ArrayList<>();
    private long round;
    private int large;

    Tasks(List<Communicator> members) {
      this.members = members;
      // Whole tiles, and no poses in their place.
      TopologySettings topology =
          Settings.build(TopologySettings.class, Map.of("rebuildKeyFrames", "0"));
      ServiceSettings service = new ServiceSettings(filter, BrokerSettings.defaults(), topology);
      resamplingCoordinator =
          new ResamplingCoordinator(
              service, new MappingFilters(service.filter()), RUN.robot(), TASKS);
      int[] owners = Assignment.initial(PARTICLES, TASKS);
      for (int task = 0; task < TASKS; task++) {
        int[] owned = Assignment.ownedBy(task, owners);
        partitions.add(
            MappingFilters.partition(filter, RUN.robot(), task, service.team(TASKS), owned));
      }
    }

    void run() throws InterruptedException {
      ReadingFilter readingFilter = new ReadingFilter(filter);
      for (int sequence = 1; sequence <= readings.size(); sequence++) {
        if (readingFilter.decide(sequence, readings.get(sequence - 1))
            instanceof ReadingFilter.Decision.Accept accept) {
          if (accept.step().keyFrame()) {
            keyFrame(accept.step());
          } else {
            trajectoryTree.addIntermediate(accept.step());
          }
        }
      }
    }

    private void keyFrame(Step step) throws InterruptedException {
      List<byte[]> statements = new ArrayList<>();
      for (Partition<ParticleMap> partition : partitions) {
        statements.add(payloadSerializer.pack(new WeightReport(partition.match(step), 0, 0)));
      }
      OperationKey believed = new OperationKey(RUN.robot(), 1, ++round);
      byte[][] all = null;
      for (CollectiveFuture<byte[][]> collectiveFuture :
          calls(member -> member.allGather(believed, statements.get(member.rank())))) {
        all = collectiveFuture.await();
      }
      ResamplingCoordinator.Decision decision =
          resamplingCoordinator.decide(
              Arrays.stream(all).map(payloadSerializer::weightReport).toList());
      byte[][][] blocks = blocks(decision.moves());
      partitions.forEach(part -> part.resample(decision.resampling(), decision.owners()));
      OperationKey moved = new OperationKey(RUN.robot(), 1, ++round);
      List<CollectiveFuture<byte[][]>> collectiveFutures =
          calls(member -> member.allToAll(moved, blocks[member.rank()]));
      for (int task = 0; task < TASKS; task++) {
        List<ParticleTransfer> particleTransfers = new ArrayList<>();
        for (byte[] block : collectiveFutures.get(task).await()) {
          particleTransfers.addAll(payloadSerializer.transfers(block));
        }
        partitions.get(task).receive(particleTransfers);
      }
      partitions.forEach(Partition::updateMap);
      trajectoryTree.addKeyFrame(step, decision.all(), decision.resampling());
    }

    /** All call it; what each has called. */
    private List<CollectiveFuture<byte[][]>> calls(
        Function<Communicator, CollectiveFuture<byte[][]>> collectiveFuture) {
      return members.stream().map(collectiveFuture).toList();
    }

    /** By task, from whom, and by task, to whom. */
    private byte[][][] blocks(ParticleMove[] particleMoves) {
      byte[][][] blocks = new byte[TASKS][TASKS][];
      for (int from = 0; from < TASKS; from++) {
        for (int to = 0; to < TASKS; to++) {
          List<ParticleTransfer> particleTransfers = new ArrayList<>();
          for (ParticleMove particleMove : particleMoves) {
            if (particleMove.from() == from && particleMove.to() == to) {
              particleTransfers.add(partitions.get(from).send(particleMove));
            }
          }
          blocks[from][to] = payloadSerializer.pack(particleTransfers);
          large += blocks[from][to].length > FRAME_BYTES ? 1 : 0;
        }
      }
      return blocks;
    }
  }
}
