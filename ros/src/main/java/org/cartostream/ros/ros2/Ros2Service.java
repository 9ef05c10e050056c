package org.cartostream.ros.ros2;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.endpoint.Sample;
import org.cartostream.ros.rtps.participant.Participant;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.serialization.ServiceType;

/**
 * A service in ROS 2: requests on one topic, replies on another. A reply names its request in the
 * ways of the two most used DDS implementations: rmw_cyclonedds writes a header of 16 bytes before
 * each message; rmw_fastrtps has the request's number in the inline QoS (DDS-RPC 1.0, 7.8.2).
 */
final class Ros2Service<Q extends Record, A extends Record> {

  private static final TopicQos QOS = new TopicQos(true, false, 10);

  /** Vendor id of Fast DDS, the first two bytes of its identities (RTPS 9.3.1.5). */
  private static final int FAST_DDS = 0x010f;

  private static final int VENDOR_SHIFT = 48;
  private static final int RELATED_SAMPLE_IDENTITY = 0x83;
  private static final int OLDER_RELATED_SAMPLE_IDENTITY = 0x800f;
  private static final int ENCAPSULATION_BYTES = 4;
  private static final int HEADER_BYTES = 16;

  private final ServiceType<Q, A> type;
  private final Function<Q, A> answer;
  private final Consumer<String> troubles;
  private final Participant.Writer replies;

  private Ros2Service(
      ServiceType<Q, A> type,
      Function<Q, A> answer,
      Consumer<String> troubles,
      Participant.Writer replies) {
    this.type = type;
    this.answer = answer;
    this.troubles = troubles;
    this.replies = replies;
  }

  /**
   * Starts a service.
   *
   * @param service global name of the service
   * @param worker executor of the answers
   */
  static <Q extends Record, A extends Record> void start(
      Participant participant,
      GraphAnnouncement graph,
      String service,
      Ros2Service.Answers<Q, A> answers,
      Executor worker) {
    String name = answers.type().ros2Name();
    Participant.Writer replies =
        participant.write(
            DdsNames.reply(service), DdsNames.type(name, "_Response"), QOS, any -> true);
    graph.addWriter(replies.guid());
    Ros2Service<Q, A> running =
        new Ros2Service<>(answers.type(), answers.answer(), answers.troubles(), replies);
    graph.addReader(
        participant.read(
            DdsNames.request(service),
            DdsNames.type(name, "_Request"),
            QOS,
            request -> worker.execute(() -> running.onRequest(request))));
  }

  /**
   * Implementation of a service.
   *
   * @param troubles receives sentences about requests that cannot be answered
   */
  record Answers<Q extends Record, A extends Record>(
      ServiceType<Q, A> type, Function<Q, A> answer, Consumer<String> troubles) {}

  private void onRequest(Sample request) {
    try {
      byte[] all = request.payload();
      boolean ofFastDds = request.writer().prefix().high() >>> VENDOR_SHIFT == FAST_DDS;
      if (ofFastDds) {
        byte[] reply = type.response().encodeCdr(answer.apply(type.request().decodeCdr(all)));
        byte[] identity = identity(request);
        replies.writeFor(
            request.writer().prefix(),
            new ParameterList()
                .add(RELATED_SAMPLE_IDENTITY, identity)
                .add(OLDER_RELATED_SAMPLE_IDENTITY, identity),
            reply);
        return;
      }
      if (all.length < ENCAPSULATION_BYTES + HEADER_BYTES) {
        throw new RosException("a request of " + all.length + " bytes is cut off");
      }
      byte[] body = new byte[all.length - HEADER_BYTES];
      System.arraycopy(all, 0, body, 0, ENCAPSULATION_BYTES);
      System.arraycopy(
          all,
          ENCAPSULATION_BYTES + HEADER_BYTES,
          body,
          ENCAPSULATION_BYTES,
          body.length - ENCAPSULATION_BYTES);
      byte[] reply = type.response().encodeCdr(answer.apply(type.request().decodeCdr(body)));
      replies.writeFor(request.writer().prefix(), new ParameterList(), withHeader(reply, all));
    } catch (RosException e) {
      // ROS 2 has no reply for that: who asked waits until it gives up.
      troubles.accept("a request is not answered: " + e.getMessage());
    }
  }

  /** Returns the identity of a request: its writer's GUID and its sequence number. */
  private static byte[] identity(Sample request) {
    return ByteBuffer.allocate(Guid.BYTES + Long.BYTES)
        .put(request.writer().bytes())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) (request.number() >>> Integer.SIZE))
        .putInt((int) request.number())
        .array();
  }

  /**
   * Puts the request's header before a reply, with its two numbers in the byte order of the reply.
   */
  private static byte[] withHeader(byte[] reply, byte[] request) {
    ByteOrder order = request[1] == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer header = ByteBuffer.wrap(request, ENCAPSULATION_BYTES, HEADER_BYTES).order(order);
    return ByteBuffer.allocate(reply.length + HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(Arrays.copyOf(reply, ENCAPSULATION_BYTES))
        .putLong(header.getLong())
        .putLong(header.getLong())
        .put(reply, ENCAPSULATION_BYTES, reply.length - ENCAPSULATION_BYTES)
        .array();
  }
}
