package org.cartostream.ros.rtps.participant;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.QosMatch;
import org.cartostream.ros.rtps.endpoint.SampleReader;
import org.cartostream.ros.rtps.endpoint.SampleWriter;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.Submessage;

/**
 * A participant's own readers and writers of topics. Owns these endpoints, and matches them with
 * remote ones.
 */
final class LocalEndpoints {

  /**
   * A local reader or writer.
   *
   * @param topic DDS name of the topic
   * @param type DDS name of the type
   * @param others false for remote endpoints that are not to be matched
   */
  record Local<E>(
      String topic, String type, TopicQos qos, Predicate<EndpointData> others, E endpoint) {

    private boolean isFor(EndpointData remote) {
      return topic.equals(remote.topic()) && others.test(remote);
    }

    private Optional<String> wrongType(EndpointData remote) {
      return remote.type().equals(type)
          ? Optional.empty()
          : Optional.of("has it as " + remote.type() + ", and here it is " + type);
    }
  }

  /** Receiver of the reason why a remote endpoint is not matched. */
  interface MismatchListener {
    void onMismatch(EndpointData remote, String why);
  }

  private final Map<Integer, Local<SampleWriter>> writers = new HashMap<>();
  private final Map<Integer, Local<SampleReader>> readers = new HashMap<>();
  private final MismatchListener mismatches;

  LocalEndpoints(MismatchListener mismatches) {
    this.mismatches = mismatches;
  }

  /** Adds a writer, which is still to be matched with readers that are known already. */
  void add(Local<SampleWriter> writer) {
    writers.put(writer.endpoint().guid().entity(), writer);
  }

  /** Adds a reader, which is still to be matched with writers that are known already. */
  void addReader(Local<SampleReader> reader) {
    readers.put(reader.endpoint().guid().entity(), reader);
  }

  /** Matches a remote writer with the local readers of its topic; false if there is none. */
  boolean matchWriter(EndpointData remote, InetSocketAddress address) {
    boolean hasMatch = false;
    for (Local<SampleReader> each : readers.values()) {
      if (each.isFor(remote)) {
        Optional<String> why =
            each.wrongType(remote).or(() -> QosMatch.reading(each.qos(), remote));
        if (why.isPresent()) {
          mismatches.onMismatch(remote, why.get());
        } else {
          each.endpoint()
              .match(
                  new SampleReader.Match(
                      remote.guid(), address, remote.isReliable(true), remote.isTransientLocal()));
          hasMatch = true;
        }
      }
    }
    return hasMatch;
  }

  /** Matches a remote reader with the local writers of its topic; false if there is none. */
  boolean matchReader(EndpointData remote, InetSocketAddress address) {
    boolean hasMatch = false;
    for (Local<SampleWriter> each : writers.values()) {
      if (each.isFor(remote)) {
        Optional<String> why =
            each.wrongType(remote).or(() -> QosMatch.writing(each.qos(), remote));
        if (why.isPresent()) {
          mismatches.onMismatch(remote, why.get());
        } else {
          each.endpoint()
              .match(
                  new SampleWriter.Match(
                      remote.guid(),
                      address,
                      remote.isReliable(false),
                      each.qos().latched() && remote.isTransientLocal()));
          hasMatch = true;
        }
      }
    }
    return hasMatch;
  }

  void unmatch(Guid remote) {
    readers.values().forEach(each -> each.endpoint().unmatch(remote));
    writers.values().forEach(each -> each.endpoint().unmatch(remote));
  }

  /**
   * Passes a submessage to the endpoint that it names, or to all readers that are matched with its
   * writer.
   */
  void on(GuidPrefix sender, Submessage submessage) {
    if (submessage instanceof Submessage.AckNack answer) {
      forWriter(submessage, writer -> writer.on(sender, answer));
    } else if (submessage instanceof Submessage.NackFrag answer) {
      forWriter(submessage, writer -> writer.on(sender, answer));
    } else {
      List.copyOf(readers.values()).forEach(each -> each.endpoint().on(sender, submessage));
    }
  }

  private void forWriter(Submessage submessage, Consumer<SampleWriter> work) {
    Local<SampleWriter> writer = writers.get(submessage.writerId());
    if (writer != null) {
      work.accept(writer.endpoint());
    }
  }
}
