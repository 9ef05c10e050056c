package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.broker.register.Register;
import org.cartostream.broker.register.RegisterException;
import org.cartostream.broker.register.RegisterSettings;
import org.cartostream.cli.cluster.DeadCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What people did wrong, or what is not there, is no surprise to the command line. */
class ComplaintsTest {

  @Test
  void saysThatThereIsNoZooKeeper() {
    RegisterSettings settings = new RegisterSettings("", 1, 2, 1);
    RegisterException nobody =
        catchThrowableOfType(
            RegisterException.class,
            () -> Register.open(ZooKeeperAccess.plain("127.0.0.1:1"), settings).close());
    assertThat(complaint(nobody)).isEqualTo("cartostream: no ZooKeeper answers at 127.0.0.1:1");
  }

  @Test
  void saysWhatARobotsIdIs() {
    RefusedMessageException refused =
        catchThrowableOfType(RefusedMessageException.class, () -> RobotId.check("a b"));
    assertThat(complaint(refused)).startsWith("cartostream: A robot's id is 1 to 64 letters");
  }

  /** Whatever it is: else the threads of Storm or the broker would keep the process. */
  @Test
  void saysWhatErrorEndedTheCommand() {
    Supplier<Interruption> broken =
        () -> {
          throw new ExceptionInInitializerError(new IllegalStateException("no such class"));
        };
    StringWriter err = new StringWriter();
    String[] words = {"replay", Logs.OFFICE.toString(), "--engine", "serial"};
    PrintWriter out = new PrintWriter(err, true);
    assertThat(Main.run(words, out, out, broken)).isEqualTo(Failure.FAILED);
    assertThat(err.toString().strip())
        .isEqualTo(
            "cartostream: unexpected: java.lang.IllegalStateException: no such class"
                + " (--verbose shows where)");
  }

  private static String complaint(Exception e) {
    StringWriter err = new StringWriter();
    CartostreamCommand command = new CartostreamCommand(Interruption::new);
    CommandLine line = new CommandLine(command).setErr(new PrintWriter(err));
    assertThat(new Complaints(command).failed(e, line, null)).isEqualTo(Failure.FAILED);
    return err.toString().strip();
  }

  @Test
  void saysWhatABrokersAddressLooksLike() {
    BrokerException nowhere =
        catchThrowableOfType(
            BrokerException.class,
            () ->
                BrokerConnection.open(BrokerSettings.defaults(), "nobody", BrokerListener.NONE)
                    .close());
    assertThat(complaint(nowhere)).startsWith("cartostream: '' is no broker's address: ");
  }

  @Test
  void asksForZooKeepersAddress() {
    Cartostream run = Cartostream.run("robots", "--zookeeper", "");
    assertThat(run.complaint()).isEqualTo("--zookeeper '': host:port is needed");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void saysThatNoLogIsCalledSo(@TempDir Path folder) throws Exception {
    Path home = DeadCluster.in(folder.resolve("cluster")).folder();
    Cartostream run = Cartostream.run("cluster", "logs", "--home", home, "cartostream");
    assertThat(run.complaint()).startsWith("no log of the cluster has 'cartostream' in its path");
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
