package org.cartostream.topology;

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
import org.cartostream.broker.BrokerSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Lineage;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.SerialFilter;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.collectives.Call;
import org.cartostream.topology.collectives.Channel;
import org.cartostream.topology.collectives.CollectiveSettings;
import org.cartostream.topology.collectives.Communicator;
import org.cartostream.topology.collectives.Directory;
import org.cartostream.topology.collectives.Ending;
import org.cartostream.topology.collectives.MemoryGroup;
import org.cartostream.topology.collectives.RoundKey;
import org.cartostream.topology.collectives.TcpChannel;
import org.cartostream.topology.collectives.TcpTransport;
import org.junit.jupiter.api.Test;

/** Particles that no frame of the collectives may hold change tasks, and the answer is the same. */
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
      Directory directory = rank -> Optional.of(channels.get(rank).address());
      for (int task = 0; task < TASKS; task++) {
        channels.add(new TcpChannel(transport, "moves", task, TASKS, anyPort, directory, NARROW));
      }
      assertRunsAsTheSerialFilter(List.copyOf(channels));
    }
  }

  private void assertRunsAsTheSerialFilter(List<Channel> channels) throws InterruptedException {
    SerialFilter serial = new SerialFilter(filter, RUN.robot());
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      serial.process(sequence, readings.get(sequence - 1));
    }
    List<Communicator> members =
        channels.stream()
            .map(channel -> Communicator.open(channel, NARROW).ending(Ending.ALONE))
            .toList();
    try {
      Tasks tasks = new Tasks(members);
      tasks.run();
      assertThat(tasks.lineage.course().path()).isEqualTo(serial.lineage().course().path());
      assertThat(tasks.large).as("blocks that no frame may hold").isGreaterThan(10);
    } finally {
      members.forEach(Communicator::close);
    }
  }

  /** Tasks that do all that real ones do in bsp, one after the other but for the exchange. */
  private final class Tasks {

    private final List<Communicator> members;
    private final Council council;
    private final Packing packing = new Packing();
    private final Lineage lineage = new Lineage(filter);
    private final List<Partition> partitions = new ArrayList<>();
    private long round;
    private int large;

    Tasks(List<Communicator> members) {
      this.members = members;
      // Whole tiles, and no poses in their place.
      TopologySettings topology =
          Settings.build(TopologySettings.class, Map.of("rebuildKeyFrames", "0"));
      ServiceSettings service = new ServiceSettings(filter, BrokerSettings.defaults(), topology);
      council = new Council(service, RUN, TASKS);
      int[] owners = Assignment.first(PARTICLES, TASKS);
      for (int task = 0; task < TASKS; task++) {
        int[] owned = Assignment.ownedBy(task, owners);
        partitions.add(new Partition(filter, RUN.robot(), task, service.team(TASKS), owned));
      }
    }

    void run() throws InterruptedException {
      Intake intake = new Intake(filter);
      for (int sequence = 1; sequence <= readings.size(); sequence++) {
        if (intake.decide(sequence, readings.get(sequence - 1))
            instanceof Intake.Decision.Take take) {
          if (take.step().keyFrame()) {
            keyFrame(take.step());
          } else {
            lineage.between(take.step());
          }
        }
      }
    }

    private void keyFrame(Step step) throws InterruptedException {
      List<byte[]> statements = new ArrayList<>();
      for (Partition partition : partitions) {
        statements.add(packing.pack(new Statement(partition.match(step), 0)));
      }
      RoundKey believed = new RoundKey(RUN.robot(), 1, ++round);
      byte[][] all = null;
      for (Call<byte[][]> call :
          calls(member -> member.allGather(believed, statements.get(member.rank())))) {
        all = call.await();
      }
      Council.Decision decision =
          council.decide(Arrays.stream(all).map(packing::statement).toList());
      byte[][][] blocks = blocks(decision.moves());
      partitions.forEach(part -> part.resample(decision.resampling(), decision.owners()));
      RoundKey moved = new RoundKey(RUN.robot(), 1, ++round);
      List<Call<byte[][]>> calls = calls(member -> member.allToAll(moved, blocks[member.rank()]));
      for (int task = 0; task < TASKS; task++) {
        List<Parcel> parcels = new ArrayList<>();
        for (byte[] block : calls.get(task).await()) {
          parcels.addAll(packing.parcels(block));
        }
        partitions.get(task).receive(parcels);
      }
      partitions.forEach(Partition::register);
      lineage.keyFrame(step, decision.all(), decision.resampling());
    }

    /** All call it; what each has called. */
    private List<Call<byte[][]>> calls(Function<Communicator, Call<byte[][]>> call) {
      return members.stream().map(call).toList();
    }

    /** By task, from whom, and by task, to whom. */
    private byte[][][] blocks(Move[] moves) {
      byte[][][] blocks = new byte[TASKS][TASKS][];
      for (int from = 0; from < TASKS; from++) {
        for (int to = 0; to < TASKS; to++) {
          List<Parcel> parcels = new ArrayList<>();
          for (Move move : moves) {
            if (move.from() == from && move.to() == to) {
              parcels.add(partitions.get(from).send(move));
            }
          }
          blocks[from][to] = packing.pack(parcels);
          large += blocks[from][to].length > FRAME_BYTES ? 1 : 0;
        }
      }
      return blocks;
    }
  }
}
