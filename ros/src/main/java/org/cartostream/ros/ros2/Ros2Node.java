package org.cartostream.ros.ros2;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.participant.DomainAccess;
import org.cartostream.ros.rtps.participant.Participant;
import org.cartostream.ros.rtps.participant.ParticipantListener;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.serialization.ServiceType;

/**
 * A node of ROS 2, on its own implementation of RTPS, without ROS 2 or DDS libraries. There is no
 * master: the listener is told that the master is there as long as another participant is.
 *
 * <p>Owns its participant, and a thread for services.
 */
public final class Ros2Node implements RosNode {

  private static final int MAX_WAITING_REQUESTS = 64;

  private final GraphNames names;
  private final RosNodeListener listener;
  private final Participant participant;
  private final GraphAnnouncement graph;
  private final ExecutorService services;
  private final Set<String> subscribed = ConcurrentHashMap.newKeySet();
  private final Set<String> advertised = ConcurrentHashMap.newKeySet();

  private Ros2Node(DomainAccess access, GraphNames names, RosNodeListener listener) {
    this.names = names;
    this.listener = listener;
    participant = Participant.join(access, names.node(), new Events(access));
    graph = new GraphAnnouncement(participant, names.node());
    services =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING_REQUESTS),
            work -> {
              Thread thread = new Thread(work, "ros2-services");
              thread.setDaemon(true);
              return thread;
            },
            (work, full) ->
                listener.onTrouble(
                    "services",
                    "a request is not answered, for "
                        + MAX_WAITING_REQUESTS
                        + " are waiting already"));
  }

  /**
   * Starts a node, which discovers other nodes.
   *
   * @throws RosException if the domain cannot be joined
   */
  public static Ros2Node start(DomainAccess access, GraphNames names, RosNodeListener listener) {
    listener.onMasterAway(nobody(access));
    return new Ros2Node(access, names, listener);
  }

  private static String nobody(DomainAccess access) {
    return "no other participant of ROS 2's domain %d is found %s%s on %s"
        .formatted(
            access.domain(),
            access.multicast() ? "by multicast" : "without multicast",
            access.peers().isEmpty() ? "" : " and at " + access.peers(),
            access.interfaces());
  }

  /** Listener to the participant, which reports its events in ROS' terms. */
  private final class Events implements ParticipantListener {

    private final DomainAccess access;

    Events(DomainAccess access) {
      this.access = access;
    }

    @Override
    public void onParticipants(int others) {
      if (others > 0) {
        listener.onMasterBack();
      } else {
        listener.onMasterAway(nobody(access));
      }
    }

    @Override
    public void onMismatch(String topic, String who, String why) {
      listener.onTrouble(DdsNames.global(topic), who + " " + why);
    }
  }

  @Override
  public GraphNames names() {
    return names;
  }

  @Override
  public <M extends Record> void subscribe(
      String topic, MessageType<M> type, TopicQos qos, Consumer<M> messages) {
    String global = names.resolve(topic);
    if (!subscribed.add(global)) {
      throw new RosException(name() + " subscribes to " + global + " already");
    }
    graph.addReader(
        participant.read(
            DdsNames.topic(global),
            DdsNames.type(type.ros2Name(), ""),
            qos,
            sample -> {
              try {
                messages.accept(type.decodeCdr(sample.payload()));
              } catch (RosException e) {
                listener.onTrouble(global, "a message is not used: " + e.getMessage());
              }
            }));
  }

  @Override
  public boolean isPublished(String topic, MessageType<?> type) {
    return publishedTypes(topic).contains(type.ros2Name());
  }

  @Override
  public Set<String> publishedTypes(String topic) {
    return participant.typesWritten(DdsNames.topic(names.resolve(topic))).stream()
        .map(DdsNames::ros2Name)
        .collect(Collectors.toSet());
  }

  @Override
  public <M extends Record> Publisher<M> advertise(
      String topic, MessageType<M> type, boolean latched) {
    String global = names.resolve(topic);
    if (!advertised.add(global)) {
      throw new RosException(name() + " publishes " + global + " already");
    }
    Participant.Writer writer =
        participant.write(
            DdsNames.topic(global),
            DdsNames.type(type.ros2Name(), ""),
            latched ? TopicQos.LATCHED : TopicQos.RELIABLE,
            any -> true);
    graph.addWriter(writer.guid());
    return new Publisher<>() {
      @Override
      public void send(M message) {
        writer.write(new ParameterList(), type.encodeCdr(message));
      }

      @Override
      public int subscribers() {
        return writer.readers();
      }
    };
  }

  @Override
  public <Q extends Record, A extends Record> void advertiseService(
      String service, ServiceType<Q, A> type, Function<Q, A> answer) {
    String global = names.resolve(service);
    Ros2Service.start(
        participant,
        graph,
        global,
        new Ros2Service.Answers<>(type, answer, why -> listener.onTrouble(global, why)),
        services);
  }

  /** Returns empty: ROS 2 has no parameter server. */
  @Override
  public Optional<String> parameter(String name) {
    return Optional.empty();
  }

  @Override
  public void close() {
    services.shutdownNow();
    participant.close();
  }
}
