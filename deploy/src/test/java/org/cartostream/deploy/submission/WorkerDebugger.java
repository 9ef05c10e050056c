package org.cartostream.deploy.submission;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.LongValue;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A debugger (JDI) of all workers of a {@link TestCluster}: so a test has a task fail at one
 * reading in ways that no reading can cause. Each worker connects to it before it does anything,
 * and stops at the beginning of one method, which {@link Fault} is told of.
 */
final class WorkerDebugger implements AutoCloseable {

  /** What happens when a task has come to the method. */
  interface Fault {

    /**
     * @param thread the task's
     * @param reading the number of the reading that the method is called for
     * @return false if the task's thread is to stay where it is, for ever
     */
    boolean goesOn(ThreadReference thread, long reading) throws Exception;
  }

  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private final String type;
  private final String method;
  private final Fault fault;

  /**
   * @param type name of the class
   * @param method name of its method, the first argument of which is a reading's number, or has a
   *     step
   */
  WorkerDebugger(String type, String method, Fault fault)
      throws IOException, IllegalConnectorArgumentsException {
    this.type = type;
    this.method = method;
    this.fault = fault;
    connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketListen"))
            .findFirst()
            .orElseThrow();
    arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("port").setValue("0");
    address = connector.startListening(arguments);
    daemon("debugger", this::accept);
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** With this a worker's JVM connects. */
  String jvmOption() {
    String port = address.substring(address.lastIndexOf(':') + 1);
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + port;
  }

  /** Has a method that a task has come to throw an exception: its argument is taken away. */
  static void fail(ThreadReference thread) throws Exception {
    StackFrame frame = thread.frame(0);
    for (LocalVariable each : frame.visibleVariables()) {
      if (each.isArgument()) {
        frame.setValue(each, null);
      }
    }
  }

  /** True if this worker has the dispatcher. */
  static boolean hasDispatcher(ThreadReference thread) {
    String itsOwn = "org.cartostream.topology.dispatch.RunLifecycle";
    return !thread.virtualMachine().classesByName(itsOwn).isEmpty();
  }

  private void accept() {
    try {
      while (true) {
        VirtualMachine worker = connector.accept(arguments);
        daemon("debugger of a worker", () -> debug(worker));
      }
    } catch (IOException | IllegalConnectorArgumentsException closed) {
      // The test is over.
    }
  }

  private void debug(VirtualMachine worker) {
    ClassPrepareRequest request = worker.eventRequestManager().createClassPrepareRequest();
    request.addClassFilter(type);
    request.enable();
    try {
      boolean isConnected = true;
      while (isConnected) {
        EventSet events = worker.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof ClassPrepareEvent prepared) {
            prepared.referenceType().methodsByName(method).forEach(WorkerDebugger::stopAt);
          } else if (event instanceof BreakpointEvent reached) {
            if (!fault.goesOn(reached.thread(), reading(reached))) {
              reached.thread().suspend(); // Once more than it is resumed.
            }
          }
          isConnected &= !(event instanceof VMDisconnectEvent);
        }
        events.resume();
      }
    } catch (VMDisconnectedException ended) {
      // As it was to.
    } catch (Exception e) {
      throw new IllegalStateException("a worker cannot be debugged", e);
    }
  }

  /**
   * The whole process stops until it is known what happens: while one thread waits for the debugger
   * the others would go on to what comes after it, as they would not if the thread itself failed.
   */
  private static void stopAt(Method method) {
    BreakpointRequest request =
        method.virtualMachine().eventRequestManager().createBreakpointRequest(method.location());
    request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    request.enable();
  }

  private static long reading(BreakpointEvent reached) throws Exception {
    List<Value> values = reached.thread().frame(0).getArgumentValues();
    return values.get(0) instanceof LongValue number
        ? number.value()
        : ((LongValue) field((ObjectReference) field(values.get(0), "step"), "sequence")).value();
  }

  private static Value field(Value of, String name) {
    ObjectReference object = (ObjectReference) of;
    return object.getValue(object.referenceType().fieldByName(name));
  }

  @Override
  public void close() throws IOException, IllegalConnectorArgumentsException {
    connector.stopListening(arguments);
  }
}
