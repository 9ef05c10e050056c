package org.cartostream.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Supplier;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryException;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** What people did wrong, or what is not there, is no surprise to the command line. */
@Quick
class ErrorPrinterTest {

  @Command(name = "cartostream", subcommands = Interruptible.class)
  private static final class Root extends RootCommand {
    Root(Supplier<ShutdownRequest> shutdownRequests) {
      super(shutdownRequests, "a command is missing");
    }
  }

  @Command(name = "interruptible")
  private static final class Interruptible implements Runnable {
    @ParentCommand private CommandContext parent;

    @Override
    public void run() {
      parent.shutdownRequest();
    }
  }

  @Test
  void saysThatThereIsNoZooKeeper() {
    RegistrySettings settings = new RegistrySettings("", 1, 2, 1);
    RegistryException nobody =
        catchThrowableOfType(
            RegistryException.class,
            () -> Registry.open(ZooKeeperAccess.plain("127.0.0.1:1"), settings).close());
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
    Supplier<ShutdownRequest> broken =
        () -> {
          throw new ExceptionInInitializerError(new IllegalStateException("no such class"));
        };
    StringWriter err = new StringWriter();
    PrintWriter out = new PrintWriter(err, true);
    assertThat(CommandProcess.run(new Root(broken), new String[] {"interruptible"}, out, out))
        .isEqualTo(ExitException.FAILED);
    assertThat(err.toString().strip())
        .isEqualTo(
            "cartostream: unexpected: java.lang.IllegalStateException: no such class"
                + " (--verbose shows where)");
  }

  private static String complaint(Exception e) {
    StringWriter err = new StringWriter();
    Root root = new Root(ShutdownRequest::new);
    CommandLine line = new CommandLine(root).setErr(new PrintWriter(err));
    assertThat(new ErrorPrinter("cartostream").failed(e, line, root))
        .isEqualTo(ExitException.FAILED);
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
}
