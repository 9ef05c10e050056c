package org.cartostream.ros.rtps.participant;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.ParticipantData;
import org.cartostream.ros.rtps.endpoint.EndpointContext;
import org.cartostream.ros.rtps.endpoint.FragmentPacer;
import org.cartostream.ros.rtps.endpoint.SampleReader;
import org.cartostream.ros.rtps.wire.EntityIds;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketReader;
import org.cartostream.ros.rtps.wire.PacketWriter;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.RtpsDuration;
import org.cartostream.ros.rtps.wire.Submessage;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept of participants that share no topic, in a time of its own. */
@Quick
class DiscoveryMemoryTest {

  private static final int DOMAIN = 75;
  private static final long SEED = 54;
  private static final String SCAN = "rt/scan";
  private static final String TYPE = "sensor_msgs::msg::dds_::LaserScan_";
  private static final GuidPrefix SELF = new GuidPrefix(1, 1);
  private static final GuidPrefix ROBOT = new GuidPrefix(2, 2);
  private static final InetSocketAddress NOWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

  private record Task(long dueNanos, Runnable work) {}

  private final Random random = new Random(SEED);
  private final List<Integer> others = new ArrayList<>();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>((a, b) -> Long.compare(a.dueNanos, b.dueNanos));
  private long now;
  private UdpSockets sockets;
  private Discovery discovery;

  private final EndpointContext context =
      new EndpointContext() {
        @Override
        public GuidPrefix self() {
          return SELF;
        }

        @Override
        public boolean send(PacketWriter packet, InetSocketAddress to) {
          return true;
        }

        @Override
        public long nanos() {
          return now;
        }

        @Override
        public void after(long nanos, Runnable work) {
          tasks.add(new Task(now + nanos, work));
        }
      };

  @BeforeEach
  void start() {
    System.out.println("seed " + SEED);
    DomainAccess access =
        new DomainAccess(DOMAIN, List.of(InetAddress.getLoopbackAddress()), true, false, List.of());
    sockets = new UdpSockets(access);
    discovery =
        new Discovery(
            context,
            sockets,
            access,
            "tested",
            new FragmentPacer(context),
            new LocalEndpoints((remote, why) -> {}),
            others::add);
    discovery.start();
    discovery.addReader(
        new LocalEndpoints.Local<>(
            SCAN,
            TYPE,
            TopicQos.SENSOR_DATA,
            any -> true,
            new SampleReader(context, EntityIds.reader(1), false, false, 1, sample -> {})));
  }

  @AfterEach
  void close() {
    sockets.close();
  }

  private void passes(long seconds) {
    long end = now + TimeUnit.SECONDS.toNanos(seconds);
    while (tasks.peek().dueNanos <= end) {
      Task next = tasks.poll();
      now = Math.max(now, next.dueNanos);
      next.work.run();
    }
    now = end;
  }

  private void said(GuidPrefix who, Submessage what) {
    discovery.on(new PacketReader.Sender(who, 0), what);
  }

  private static Submessage.Data data(int writer, long number, byte[] payload) {
    return new Submessage.Data(
        EntityIds.UNKNOWN, writer, number, new ParameterList(), false, payload);
  }

  private void comes(GuidPrefix who) {
    ParticipantData data =
        new ParticipantData(
            new Guid(who, EntityIds.PARTICIPANT),
            DOMAIN,
            RtpsDuration.INFINITE,
            ParticipantData.ALL_BUILTINS,
            List.of(NOWHERE),
            List.of(NOWHERE));
    said(who, data(EntityIds.SPDP_WRITER, 1, data.payload("one")));
  }

  /** By best effort or reliably: the first sample is the next in either case. */
  private void writes(GuidPrefix who, int number, String topic) {
    byte[] endpoint =
        EndpointData.payload(
            new Guid(who, EntityIds.writer(number)), topic, TYPE, TopicQos.RELIABLE);
    if (number == 1) {
      said(
          who,
          new Submessage.Heartbeat(
              EntityIds.UNKNOWN, EntityIds.PUBLICATIONS_WRITER, 1, Long.MAX_VALUE, 1, true));
    }
    said(who, data(EntityIds.PUBLICATIONS_WRITER, number, endpoint));
  }

  private GuidPrefix stranger() {
    return new GuidPrefix(random.nextLong(), random.nextInt());
  }

  private void robotComes() {
    comes(ROBOT);
    writes(ROBOT, 1, SCAN);
    assertThat(discovery.typesWritten(SCAN)).containsExactly(TYPE);
  }

  private void assertBounded() {
    assertThat(discovery.participants()).isLessThanOrEqualTo(Discovery.MAX_PARTICIPANTS);
    assertThat(discovery.endpointBytes()).isLessThanOrEqualTo(Discovery.MAX_ENDPOINT_BYTES);
    assertThat(discovery.heldBytes())
        .isLessThanOrEqualTo(2 * (Discovery.MAX_HELD_BYTES + (1 << 17)));
    assertThat(discovery.typesWritten(SCAN)).as("the robot is known").containsExactly(TYPE);
  }

  @Test
  void ofManyStrangersTheOldestGo() {
    robotComes();
    for (int i = 0; i < 20_000; i++) {
      GuidPrefix stranger = stranger();
      comes(stranger);
      writes(stranger, 1, "rt/" + "x".repeat(1000) + i);
    }
    assertBounded();
    assertThat(discovery.participants()).isEqualTo(Discovery.MAX_PARTICIPANTS);
  }

  /** Before a service has started there is no reader of the robot's scans. */
  @Test
  void whoWritesATopicThatIsAskedForStaysBeforeItIsRead() {
    String front = "rt/front";
    assertThat(discovery.typesWritten(front)).isEmpty();
    comes(ROBOT);
    for (int i = 1; i <= 20; i++) {
      writes(ROBOT, i, i == 1 ? front : "rt/" + "x".repeat(1000) + i); // More than each stranger.
    }
    for (int i = 0; i < 2_000; i++) {
      GuidPrefix stranger = stranger();
      comes(stranger);
      writes(stranger, 1, "rt/" + "x".repeat(1000) + i);
      writes(stranger, 2, "rt/" + "y".repeat(17_000) + i);
    }
    assertThat(discovery.typesWritten(front)).containsExactly(TYPE);
  }

  @Test
  void aStrangerThatSaysTooMuchGoes() {
    robotComes();
    GuidPrefix modest = stranger();
    comes(modest);
    writes(modest, 1, "rt/modest");
    GuidPrefix stranger = stranger();
    comes(stranger);
    for (int i = 1; i <= 20_000; i++) {
      writes(stranger, i, "rt/" + "x".repeat(1000) + i);
    }
    assertBounded();
    assertThat(discovery.typesWritten("rt/modest")).containsExactly(TYPE);
    assertThat(discovery.participants()).isEqualTo(2);
  }

  @Test
  void whatCannotBeUsedYetIsBoundedOfAllTogether() {
    robotComes();
    for (int i = 0; i < Discovery.MAX_PARTICIPANTS - 1; i++) {
      GuidPrefix stranger = stranger();
      comes(stranger);
      for (int number = 2; number < 30; number++) { // The first is missing.
        said(stranger, data(EntityIds.PUBLICATIONS_WRITER, number, new byte[60_000]));
        Submessage.Data part = data(EntityIds.SUBSCRIPTIONS_WRITER, number, new byte[60_000]);
        said(stranger, new Submessage.DataFrag(part, 1, 200, 300, 1 << 26));
      }
    }
    assertBounded();
    passes(200);
    assertThat(discovery.heldBytes()).isZero();
  }

  @Test
  void whoIsSilentIsForgottenWhateverItsLease() {
    for (int i = 0; i < 100; i++) {
      comes(stranger());
    }
    assertThat(discovery.participants()).isEqualTo(100);
    passes(101);
    assertThat(discovery.participants()).isZero();
    assertThat(others).endsWith(0);
  }
}
