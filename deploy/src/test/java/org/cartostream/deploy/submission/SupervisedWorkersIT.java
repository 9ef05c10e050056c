package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.connection.ResponseFeed;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Robot;
import org.cartostream.web.fleet.ObservedWorkers;
import org.cartostream.web.supervision.LifeSign;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.supervision.SupervisionTree;
import org.cartostream.web.supervision.SupervisionTree.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an observer sees of workers of a real cluster that stand, die, or have a task that hangs.
 */
@Nightly(cluster = true)
class SupervisedWorkersIT {

  private static final int BAD = 20;

  private final List<Reading> readings = Drive.readings(41, 40);
  private final Supervision supervision = new Supervision();

  @TempDir private Path checkpoints;

  @Test
  void aWorkerThatStandsIsLateAndOneThatDiesIsGoneUntilAnotherHasItsTasks() throws Exception {
    drive(
        "2",
        "",
        (service, robot) -> {
          robot.drive(readings, 1, BAD);
          until(() -> signs().size() == 2 && tasks().allMatch(this::isHere));
          until(() -> tasks().filter(isOf("Matchers")).allMatch(task -> hasRobot(task, "r1")));
          assertThat(tasks().map(task -> task.component() + " " + task.number()))
              .containsExactlyInAnyOrder(
                  "Dispatcher 0",
                  "Publisher 0",
                  "Resampler 0",
                  "Matchers 0",
                  "Matchers 1",
                  "Matchers 2",
                  "Matchers 3");
          long victim =
              workers().filter(this::isWithoutDispatcher).findAny().orElseThrow().process();
          long other = signs().keySet().stream().filter(each -> each != victim).findAny().get();

          signal("STOP", victim);
          until(() -> signs().equals(Map.of(victim, LifeSign.LATE, other, LifeSign.HERE)));
          signal("CONT", victim);
          until(() -> tasks().allMatch(this::isHere));
          assertThat(signs()).containsOnlyKeys(victim, other);

          signal("KILL", victim);
          until(() -> signs().getOrDefault(victim, LifeSign.GONE) == LifeSign.GONE);
          robot.drive(readings, BAD + 1, readings.size());
          until(() -> !signs().containsKey(victim) && tasks().allMatch(this::isHere));
          assertThat(sentences(Kind.RESTARTED)).anyMatch(each -> each.contains("" + victim));
          assertThat(sentences(Kind.RESTORED)).contains("the run of robot r1 was restored");
          robot.end(readings.size());
          int before = sentences(Kind.GONE).size();
          service.cluster().kill();
          until(() -> tasks().findAny().isEmpty());
          assertThat(sentences(Kind.GONE)).as("an end in order is no death").hasSize(before);
          assertThat(sentences(Kind.ENDED)).hasSize(2);
        });
  }

  @Test
  void aTaskThatHangsIsLateWhileItsProcessIsWell() throws Exception {
    AtomicBoolean hangs = new AtomicBoolean();
    WorkerDebugger.Fault fault =
        (worker, reading) -> reading != BAD || !hangs.compareAndSet(false, true);
    try (WorkerDebugger debugger =
        new WorkerDebugger("org.cartostream.topology.match.PartitionWorker", "take", fault)) {
      drive(
          "1",
          debugger.jvmOption(),
          (service, robot) -> {
            CompletableFuture<Void> drive =
                CompletableFuture.runAsync(() -> robot.drive(readings, 1, readings.size()));
            until(() -> hangs.get() && lateTasks().equals(List.of("Matchers")) && isHere(signs()));
            drive.get();
            until(() -> tasks().allMatch(this::isHere));
            assertThat(sentences(Kind.LATE)).anyMatch(each -> each.startsWith("Matchers "));
            robot.end(readings.size());
          });
    }
  }

  private interface Happening {
    void with(SubmittedService service, Robot robot) throws Exception;
  }

  /** Watches a service and a robot while something happens, and has the robot's run end well. */
  private void drive(String workers, String jvmOption, Happening happens) throws Exception {
    ObservedWorkers observed = new ObservedWorkers(supervision);
    try (SubmittedService service =
        SubmittedService.start(
            Map.of(
                "tasks",
                "4",
                "workers",
                workers,
                "hungSeconds",
                "10",
                "readingTimeoutSeconds",
                "10"),
            Map.of("everySeconds", "1", "folder", checkpoints.toString()),
            Map.of("worker.childopts", "-Xmx%HEAP-MEM%m " + jvmOption),
            Map.of())) {
      service.withRobot(
          "r1",
          robot -> {
            try (ResponseFeed feed =
                ResponseFeed.open(
                    service.settings().broker(), BrokerNames.EVERY_WORKER, observed, observed)) {
              happens.with(service, robot);
            }
            assertThat(robot.answers().result())
                .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
          });
    } finally {
      System.out.println(supervision.tree()); // For whoever wants to know why it failed.
    }
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(SubmittedService.LONG).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  private static void signal(String name, long process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process)).start();
    assertThat(kill.waitFor()).isZero();
  }

  private Stream<SupervisionTree.Worker> workers() {
    return supervision.tree().services().stream()
        .flatMap(service -> service.hosts().stream())
        .flatMap(host -> host.workers().stream());
  }

  private Map<Long, LifeSign> signs() {
    return workers()
        .collect(Collectors.toMap(SupervisionTree.Worker::process, SupervisionTree.Worker::sign));
  }

  private Stream<SupervisionTree.Task> tasks() {
    return workers().flatMap(worker -> worker.tasks().stream());
  }

  private List<String> lateTasks() {
    return tasks().filter(task -> !isHere(task)).map(SupervisionTree.Task::component).toList();
  }

  private static boolean isHere(Map<Long, LifeSign> processes) {
    return !processes.isEmpty() && Set.copyOf(processes.values()).equals(Set.of(LifeSign.HERE));
  }

  private boolean isHere(SupervisionTree.Task task) {
    return task.sign() == LifeSign.HERE;
  }

  private static Predicate<SupervisionTree.Task> isOf(String component) {
    return task -> task.component().equals(component);
  }

  private static boolean hasRobot(SupervisionTree.Task task, String robot) {
    return task.robots().contains(robot);
  }

  private boolean isWithoutDispatcher(SupervisionTree.Worker worker) {
    return worker.tasks().stream().noneMatch(isOf("Dispatcher"));
  }

  private List<String> sentences(Kind kind) {
    return supervision.tree().events().stream()
        .filter(event -> event.kind() == kind)
        .map(SupervisionTree.Event::sentence)
        .toList();
  }
}
