package org.cartostream.collectives.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.collectives.ChannelContract;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What is particular to members that reach each other by TCP. */
@Quick
class TcpChannelTest extends ChannelContract {

  @Override
  protected String transport() {
    return "tcp";
  }

  @Override
  protected int tries() {
    return 600;
  }

  /** For calls that end well: the first handshake in a process is slow where others compute. */
  static final CollectiveSettings PATIENT = CollectiveSettings.defaults().withTimeoutMillis(15_000);

  /** For calls that only time ends. */
  static final CollectiveSettings HASTY = PATIENT.withTimeoutMillis(1500);

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Two members, each with a transport and a group's name of its own. */
  static Group pair(
      TcpTransport zero, TcpTransport one, String groupOfOne, CollectiveSettings settings)
      throws IOException {
    List<TcpChannel> channels = new ArrayList<>();
    MemberDirectory memberDirectory = rank -> Optional.of(channels.get(rank).address());
    channels.add(new TcpChannel(zero, "group", 0, 2, ANY_PORT, memberDirectory, settings));
    channels.add(new TcpChannel(one, groupOfOne, 1, 2, ANY_PORT, memberDirectory, settings));
    return new Group(List.copyOf(channels), settings);
  }

  @Test
  void aMemberOfAnotherGroupIsNotLetIn() throws Exception {
    try (TcpTransport transport = TcpTransport.plain(1);
        Group group = pair(transport, transport, "another", HASTY)) {
      CollectiveFuture<Void> zero = group.member(0).barrier(Group.round(1));
      CollectiveFuture<Void> one = group.member(1).barrier(Group.round(1));
      assertThat(Group.failure(zero).members()).containsExactly(1);
      assertThat(Group.failure(one).members()).containsExactly(0);
    }
  }

  @Test
  void aHostWhoseNameNobodyKnowsYetHoldsUpNobodyElse() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch known = new CountDownLatch(1);
    BackgroundResolverGroup.NameService slow =
        host -> {
          assertThat(host).isEqualTo("slow.invalid");
          asked.countDown();
          try {
            known.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
    try (TcpTransport transport = TcpTransport.plain(1, slow)) {
      List<TcpChannel> channels = new ArrayList<>();
      MemberDirectory memberDirectory =
          rank ->
              Optional.of(
                  rank == 1
                      ? InetSocketAddress.createUnresolved(
                          "slow.invalid", channels.get(1).address().getPort())
                      : channels.get(rank).address());
      for (int rank = 0; rank < 3; rank++) {
        channels.add(
            new TcpChannel(transport, "group", rank, 3, ANY_PORT, memberDirectory, PATIENT));
      }
      try (Group group = new Group(List.copyOf(channels), PATIENT)) {
        List<CollectiveFuture<byte[]>> collectiveFutures = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
          byte[] given = rank == 0 ? new byte[] {7} : null;
          Communicator member = group.member(rank);
          collectiveFutures.add(member.broadcast(Group.round(1), 0, given));
        }
        assertThat(asked.await(Group.BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(Group.result(collectiveFutures.get(2))).containsExactly(7);
        assertThat(collectiveFutures.get(1).isDone()).isFalse();
        known.countDown();
        assertThat(Group.result(collectiveFutures.get(1))).containsExactly(7);
      }
    }
  }

  @Test
  void strangersWhoTalkNonsenseDisturbNobody() throws Exception {
    try (TcpTransport transport = TcpTransport.plain(1)) {
      List<TcpChannel> channels = new ArrayList<>();
      MemberDirectory memberDirectory = rank -> Optional.of(channels.get(rank).address());
      channels.add(new TcpChannel(transport, "group", 0, 2, ANY_PORT, memberDirectory, PATIENT));
      channels.add(new TcpChannel(transport, "group", 1, 2, ANY_PORT, memberDirectory, PATIENT));
      try (Group group = new Group(List.copyOf(channels), PATIENT);
          Socket stranger = new Socket()) {
        stranger.connect(channels.get(0).address());
        stranger
            .getOutputStream()
            .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        CollectiveFuture<Void> zero = group.member(0).barrier(Group.round(1));
        CollectiveFuture<Void> one = group.member(1).barrier(Group.round(1));
        assertThat(Group.result(zero)).isEqualTo(Group.result(one));
      }
    }
  }

  /** It listens to all that are there when it opens, and nobody may take that back. */
  @Test
  void aConnectionThatIsTakenInWhileItsMemberOpensDoesNotStayDeaf() throws Exception {
    EmbeddedChannel coming = new EmbeddedChannel();
    try (TcpTransport transport = TcpTransport.plain(1);
        TcpChannel member =
            new TcpChannel(transport, "group", 0, 2, ANY_PORT, rank -> Optional.empty(), PATIENT)) {
      coming.config().setAutoRead(true);
      member.accept(coming);
      assertThat(coming.config().isAutoRead()).isTrue();
    }
  }

  /** A host that has lost its power does not end its connections; another took its place. */
  @Test
  void whoIsElsewhereNowIsReachedThere() throws Exception {
    try (TcpTransport transport = TcpTransport.plain(1);
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<TcpChannel> channels = new ArrayList<>();
      AtomicReference<InetSocketAddress> one =
          new AtomicReference<>((InetSocketAddress) silent.getLocalSocketAddress());
      MemberDirectory memberDirectory =
          rank -> Optional.of(rank == 1 ? one.get() : channels.get(rank).address());
      channels.add(new TcpChannel(transport, "group", 0, 2, ANY_PORT, memberDirectory, PATIENT));
      channels.add(new TcpChannel(transport, "group", 1, 2, ANY_PORT, memberDirectory, PATIENT));
      try (Group group = new Group(List.copyOf(channels), PATIENT)) {
        CollectiveFuture<Void> unheard = group.member(0).barrier(Group.round(1));
        try (Socket old = silent.accept()) {
          old.setSoTimeout((int) TimeUnit.SECONDS.toMillis(Group.BOUND_SECONDS));
          one.set(channels.get(1).address());
          assertThat(old.getInputStream().readAllBytes()).as("until it is closed").isNotEmpty();
        }
        assertThat(unheard.isDone()).as("nobody is lost").isFalse();
        CollectiveFuture<Void> first = group.member(0).barrier(Group.round(2));
        CollectiveFuture<Void> second = group.member(1).barrier(Group.round(2));
        assertThat(Group.result(first)).isEqualTo(Group.result(second));
      }
    }
  }

  @Test
  void whoSendsDoesNotLookForTheOthersItself() throws Exception {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    try (TcpTransport transport = TcpTransport.plain(1)) {
      List<TcpChannel> channels = new ArrayList<>();
      MemberDirectory memberDirectory =
          rank -> {
            threads.add(Thread.currentThread());
            int port = channels.get(rank).address().getPort();
            return Optional.of(InetSocketAddress.createUnresolved("localhost", port));
          };
      channels.add(new TcpChannel(transport, "group", 0, 2, ANY_PORT, memberDirectory, PATIENT));
      channels.add(new TcpChannel(transport, "group", 1, 2, ANY_PORT, memberDirectory, PATIENT));
      try (Group group = new Group(List.copyOf(channels), PATIENT)) {
        CollectiveFuture<Void> zero = group.member(0).barrier(Group.round(1));
        CollectiveFuture<Void> one = group.member(1).barrier(Group.round(1));
        assertThat(Group.result(zero)).isEqualTo(Group.result(one));
        assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
      }
    }
  }

  @Test
  void aMemberThatListensNowhereIsNamedAsLost() throws Exception {
    CollectiveSettings hasty = Settings.with(PATIENT, Map.of("connectTimeoutMillis", "100"));
    try (TcpTransport transport = TcpTransport.plain(1)) {
      MemberDirectory nowhere = rank -> Optional.empty();
      TcpChannel alone = new TcpChannel(transport, "group", 0, 2, ANY_PORT, nowhere, hasty);
      try (Group group = new Group(List.of(alone), hasty)) {
        CollectiveException failure = Group.failure(group.member(0).barrier(Group.round(1)));
        assertThat(failure.reason()).isEqualTo(Reason.LOST);
        assertThat(failure.members()).containsExactly(1);
        assertThat(failure).hasMessageContaining("its address is not known");
      }
    }
  }
}
