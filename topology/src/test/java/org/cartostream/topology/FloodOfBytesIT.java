package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One robot's account sends as many bytes as three connections take, while another robot drives: a
 * {@link Bystander}. Broker and service keep their memory.
 */
@Nightly
class FloodOfBytesIT {

  private static final int HEAP_MEGABYTES = 1024;
  private static final int CONNECTIONS = 3;

  /**
   * It has some 160 MB alone. What holds the rest, by {@code rabbitmqctl eval
   * 'rabbit_vm:memory().'} and the processes' references in mid-flood: 120 to 340 MB of binaries,
   * and up to as much again that the allocators keep for the next. The binaries are what the
   * sockets brought at a time: the process of the robot's queue refers to parts of 3,000 to 10,000
   * pieces, and each part keeps alive all that was read with it, twice {@code
   * tcp_listen_options.sndbuf}. With Linux's own 2.5 MB in place of that setting the four floods
   * take 637, 486, 933 and 571 MB on a busy machine, with it 570, 385, 619 and 417. The first is
   * three messages of 63 MB, which RabbitMQ gathers whole before it refuses them. The flood itself
   * is 12 GB.
   */
  private static final long MAX_BROKER_MEGABYTES = 1200;

  /** What is sent again and again. */
  private enum Flood {
    /** RabbitMQ closes the channel at it. */
    LARGE {
      @Override
      List<byte[]> messages() {
        return List.of(ZEROS);
      }
    },
    LARGE_IN_PIECES {
      @Override
      List<byte[]> messages() {
        return FrameFragmentation.of(ZEROS);
      }
    },
    /** Of frames that never become whole. */
    FIRST_PIECES {
      @Override
      List<byte[]> messages() {
        return List.of(
            FrameFragmentation.of(Arrays.copyOf(ZEROS, 2 * FrameFragmentation.PIECE_BYTES)).get(0));
      }
    },
    READINGS {
      @Override
      List<byte[]> messages() {
        return List.of(MAX_READING);
      }
    };

    private static final byte[] ZEROS = new byte[63_000_000];
    private static final byte[] MAX_READING = largestReading();

    abstract List<byte[]> messages();

    private static byte[] largestReading() {
      int beams = 10_000;
      float[] ranges = new float[beams];
      Arrays.fill(ranges, 5);
      Scan scan = new Scan(Pose.ORIGIN, -3, 6.0 / beams, 0.1, 30, ranges);
      Reading reading = new Reading(1, Pose.ORIGIN, scan);
      Envelope envelope = new Envelope(MALLORY, 1, 1, 1, new ReadingMessage(reading));
      return new Codec(FrameFragmentation.PIECE_BYTES).encode(envelope);
    }
  }

  private static final String MALLORY = "mallory";

  @TempDir private Path folder;

  private ServiceSettings settings;
  private ServiceProcess service;

  @BeforeEach
  void start() throws Exception {
    service = ServiceProcess.start(folder, HEAP_MEGABYTES);
    settings = service.settings();
  }

  @AfterEach
  void stop() throws Exception {
    if (service != null) {
      service.close();
    }
  }

  /** Without pause: brokers once took 10 GB for them. */
  @ParameterizedTest
  @EnumSource
  void delaysNobodyAndLeavesBrokerAndServiceTheirMemory(Flood flood) throws Exception {
    AtomicLong sent = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      Bystander.drive(
          "bystander",
          settings,
          goesOn -> {
            List<Callable<Void>> all =
                Collections.nCopies(
                    CONNECTIONS,
                    () -> {
                      while (goesOn.getAsBoolean()) {
                        sendUntilRefused(flood, goesOn, sent);
                      }
                      return null;
                    });
            for (Future<Void> each : threads.invokeAll(all)) {
              each.get();
            }
          });
    } finally {
      threads.shutdownNow();
    }
    assertThat(service.isAlive()).isTrue();
    System.out.printf(
        "%s: %d messages, %d dropped, the broker had %d MB%n",
        flood, sent.get(), service.dropped(), ServiceProcess.brokerMegabytes());
    assertThat(service.dropped() > 0).isEqualTo(flood != Flood.LARGE);
    assertThat(ServiceProcess.brokerMegabytes()).isLessThan(MAX_BROKER_MEGABYTES);
  }

  /** RabbitMQ closes the channel at what is too large; then the robot comes again. */
  private void sendUntilRefused(Flood flood, BooleanSupplier goesOn, AtomicLong sent)
      throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(service.node().uri());
    factory.setAutomaticRecoveryEnabled(false);
    String key = BrokerNames.keyOfReadings(settings.broker().service(), MALLORY);
    try (Connection connection = factory.newConnection()) {
      Channel channel = connection.createChannel();
      while (goesOn.getAsBoolean()) {
        for (byte[] each : flood.messages()) {
          channel.basicPublish(BrokerNames.READINGS, key, null, each);
          sent.incrementAndGet();
        }
      }
    } catch (AlreadyClosedException | IOException e) {
      // As it should be.
    }
  }
}
