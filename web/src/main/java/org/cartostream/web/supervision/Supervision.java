package org.cartostream.web.supervision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.web.supervision.SupervisionTree.Kind;

/**
 * Supervision of services' processes and tasks by their heartbeats ({@link WorkerMessage}): tells
 * which are here, late or gone, which process has replaced another, and which runs were restored. A
 * task belongs to the process that last reported it; a process without tasks is removed.
 *
 * <p>Owns what was last heard of each task and process, and the latest events. It looks at the
 * clock when a heartbeat comes and when somebody asks; silence that has passed a limit in between
 * is noted with the time at which it did. Thread-safe.
 */
public final class Supervision {

  /** Maximum number of tasks that are shown; the tree says so when there are as many. */
  static final int MAX_TASKS = 4096;

  static final int MAX_EVENTS = 200;

  /**
   * Maximum number of runs whose epochs are remembered; a forgotten run may be restored once
   * without an event.
   */
  private static final int MAX_RUNS = 10_000;

  /** Silence after which a task is removed: its service has ended. */
  private static final double FORGOTTEN_SECONDS = 600;

  private record TaskName(String service, String component, int number) {}

  private record RunName(String robot, long number) {}

  private record NotedEvent(Kind kind, String service, String sentence, long at) {}

  /** Process of a service; two objects are two processes. */
  private static final class Worker {
    private final WorkerMessage first;
    private long heardAt;
    private LifeSign sign = LifeSign.HERE;

    private Worker(WorkerMessage first) {
      this.first = first;
    }

    private boolean is(WorkerMessage other) {
      return first.service().equals(other.service())
          && first.host().equals(other.host())
          && first.process() == other.process()
          && first.startedAt() == other.startedAt();
    }

    private String named() {
      return "process " + first.process() + " on " + first.host();
    }
  }

  private static final class Task {
    private Worker worker;
    private WorkerMessage.Task latest;
    private boolean isHung;

    private Task(Worker worker, WorkerMessage.Task latest) {
      this.worker = worker;
      this.latest = latest;
    }

    private LifeSign sign() {
      return isHung && worker.sign == LifeSign.HERE ? LifeSign.LATE : worker.sign;
    }

    private String named() {
      return latest.component() + " " + latest.number();
    }
  }

  private final LongSupplier nanoTime;
  private final Map<TaskName, Task> tasks = new LinkedHashMap<>();

  /** Events, the latest first. */
  private final List<NotedEvent> events = new ArrayList<>();

  private final Map<RunName, Long> epochs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunName, Long> eldest) {
          return size() > MAX_RUNS;
        }
      };

  private String trouble = "";

  public Supervision() {
    this(System::nanoTime);
  }

  Supervision(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Takes a heartbeat. */
  public synchronized void heard(WorkerMessage message) {
    long now = nanoTime.getAsLong();
    look(now);
    if (message.tasks().isEmpty()) {
      ended(message, now);
      return;
    }
    List<WorkerMessage.Task> taken =
        message.tasks().stream().filter(task -> isTaken(message, task)).toList();
    if (taken.isEmpty()) {
      return;
    }
    Worker worker = workers().filter(each -> each.is(message)).findFirst().orElse(null);
    if (worker == null) {
      worker = new Worker(message);
      noteArrival(worker, taken, now);
    }
    worker.heardAt = now;
    for (WorkerMessage.Task task : taken) {
      put(worker, task);
      task.runs().forEach(run -> noteRun(message.service(), run, now));
    }
    removeOthers(worker, message);
    look(now);
  }

  private Stream<Worker> workers() {
    return tasks.values().stream().map(each -> each.worker).distinct();
  }

  /** Removes a process that ended its tasks in order. */
  private void ended(WorkerMessage message, long now) {
    workers()
        .filter(each -> each.is(message))
        .findFirst()
        .ifPresent(
            worker -> {
              note(Kind.ENDED, message.service(), worker.named() + " has ended its tasks", now);
              tasks.values().removeIf(task -> task.worker == worker);
            });
  }

  /**
   * Returns true if a reported task belongs to the reporting process: one that was cut off may
   * still send when another process has its tasks.
   */
  private boolean isTaken(WorkerMessage message, WorkerMessage.Task task) {
    Task there = tasks.get(name(message, task));
    if (there == null) {
      return tasks.size() < MAX_TASKS;
    }
    WorkerMessage other = there.worker.first;
    return there.worker.is(message)
        || there.worker.sign == LifeSign.GONE // Clocks of two hosts may differ.
        || message.startedAt() > other.startedAt()
        || (message.startedAt() == other.startedAt() && message.process() > other.process());
  }

  private void noteArrival(Worker worker, List<WorkerMessage.Task> taken, long now) {
    WorkerMessage message = worker.first;
    List<String> before =
        taken.stream()
            .map(task -> tasks.get(name(message, task)))
            .filter(Objects::nonNull)
            .map(task -> task.worker.named())
            .distinct()
            .toList();
    if (before.isEmpty()) {
      note(Kind.STARTED, message.service(), worker.named() + " is here", now);
    } else {
      String sentence = worker.named() + " has the tasks of " + String.join(", ", before);
      note(Kind.RESTARTED, message.service(), sentence, now);
    }
  }

  private void put(Worker worker, WorkerMessage.Task latest) {
    TaskName name = name(worker.first, latest);
    Task task = tasks.get(name);
    if (task == null) {
      if (tasks.size() < MAX_TASKS) {
        tasks.put(name, new Task(worker, latest));
      }
    } else {
      task.isHung &= task.worker == worker;
      task.worker = worker;
      task.latest = latest;
    }
  }

  /** Removes the tasks that a process no longer names, as they have ended there. */
  private void removeOthers(Worker worker, WorkerMessage message) {
    Set<TaskName> named =
        message.tasks().stream().map(task -> name(message, task)).collect(Collectors.toSet());
    tasks.entrySet().removeIf(e -> e.getValue().worker == worker && !named.contains(e.getKey()));
  }

  private static TaskName name(WorkerMessage message, WorkerMessage.Task task) {
    return new TaskName(message.service(), task.component(), task.number());
  }

  private void noteRun(String service, WorkerMessage.HeldRun run, long now) {
    if (run.epoch() == 0) {
      return; // 0: the task restores nothing.
    }
    RunName name = new RunName(run.robot(), run.number());
    Long before = epochs.get(name);
    if (before == null || before < run.epoch()) {
      epochs.put(name, run.epoch());
    }
    if (before != null && before < run.epoch()) {
      note(Kind.RESTORED, service, "the run of robot " + run.robot() + " was restored", now);
    }
  }

  /**
   * Notes that the connection that brings heartbeats has broken: nothing is known of any process.
   */
  public synchronized void deaf(String why) {
    look(nanoTime.getAsLong());
    trouble = why;
  }

  /**
   * Notes that the connection is back. All processes count as heard now, as they may have been
   * there all the time.
   */
  public synchronized void hearing() {
    long now = nanoTime.getAsLong();
    workers().forEach(each -> each.heardAt = now);
    trouble = "";
  }

  /** Notes whose silence has passed a limit. */
  private void look(long now) {
    if (!trouble.isEmpty()) {
      return;
    }
    workers().forEach(worker -> look(worker, now));
    for (Task task : tasks.values()) {
      look(task, now);
    }
    tasks.values().removeIf(task -> silentSeconds(task.worker, now) > FORGOTTEN_SECONDS);
  }

  private void look(Worker worker, long now) {
    LifeSign sign = LifeSign.ofSilence(now - worker.heardAt);
    if (sign == LifeSign.HERE && worker.sign != LifeSign.HERE) {
      noteOf(Kind.BACK, worker, "", now);
    }
    if (sign != LifeSign.HERE && worker.sign == LifeSign.HERE) {
      noteOf(Kind.LATE, worker, "", worker.heardAt + LifeSign.LATE_NANOS);
    }
    if (sign == LifeSign.GONE && worker.sign != LifeSign.GONE) {
      noteOf(Kind.GONE, worker, "", worker.heardAt + LifeSign.GONE_NANOS);
    }
    worker.sign = sign;
  }

  /** Notes a task that hangs, or hangs no longer, in a process that is well. */
  private void look(Task task, long now) {
    boolean isLate = task.latest.busyNanos() > LifeSign.LATE_NANOS;
    if (isLate && !task.isHung) {
      long at = task.worker.heardAt - task.latest.busyNanos() + LifeSign.LATE_NANOS;
      noteOf(Kind.LATE, task.worker, task.named() + " in ", at);
    } else if (!isLate && task.isHung) {
      noteOf(Kind.BACK, task.worker, task.named() + " in ", now);
    }
    task.isHung = isLate;
  }

  private void noteOf(Kind kind, Worker worker, String task, long at) {
    String what = kind.name().toLowerCase(Locale.ROOT);
    note(kind, worker.first.service(), task + worker.named() + " is " + what, at);
  }

  private void note(Kind kind, String service, String sentence, long at) {
    events.add(0, new NotedEvent(kind, service, sentence, at));
    events.sort(Comparator.comparingLong(NotedEvent::at).reversed());
    if (events.size() > MAX_EVENTS) {
      events.remove(MAX_EVENTS);
    }
  }

  private static double silentSeconds(Worker worker, long now) {
    return (double) (now - worker.heardAt) / TimeUnit.SECONDS.toNanos(1);
  }

  private static double silentSeconds(Task task, long now) {
    long busy = task.latest.busyNanos();
    return silentSeconds(task.worker, now) + (double) busy / TimeUnit.SECONDS.toNanos(1);
  }

  /** Returns the tree as it is now. */
  public synchronized SupervisionTree tree() {
    long now = nanoTime.getAsLong();
    look(now);
    Map<String, Map<String, Map<Worker, List<SupervisionTree.Task>>>> byName = new TreeMap<>();
    for (Task task : tasks.values()) {
      WorkerMessage of = task.worker.first;
      byName
          .computeIfAbsent(of.service(), name -> new TreeMap<>())
          .computeIfAbsent(of.host(), name -> new HashMap<>())
          .computeIfAbsent(task.worker, name -> new ArrayList<>())
          .add(shown(task, now));
    }
    List<SupervisionTree.Service> services = new ArrayList<>();
    byName.forEach(
        (service, hosts) -> {
          List<SupervisionTree.Host> shown = new ArrayList<>();
          hosts.forEach(
              (host, workers) -> shown.add(new SupervisionTree.Host(host, shown(workers, now))));
          services.add(new SupervisionTree.Service(service, shown));
        });
    return new SupervisionTree(said(), services, events.stream().map(e -> shown(e, now)).toList());
  }

  private String said() {
    return trouble.isEmpty() && tasks.size() == MAX_TASKS
        ? "no more than " + MAX_TASKS + " tasks are shown"
        : trouble;
  }

  private static List<SupervisionTree.Worker> shown(
      Map<Worker, List<SupervisionTree.Task>> workers, long now) {
    return workers.entrySet().stream()
        .map(
            each ->
                new SupervisionTree.Worker(
                    each.getKey().first.process(),
                    each.getKey().sign,
                    rounded(silentSeconds(each.getKey(), now)),
                    each.getValue().stream()
                        .sorted(
                            Comparator.comparing(SupervisionTree.Task::component)
                                .thenComparing(SupervisionTree.Task::number))
                        .toList()))
        .sorted(Comparator.comparing(SupervisionTree.Worker::process))
        .toList();
  }

  private static SupervisionTree.Task shown(Task task, long now) {
    return new SupervisionTree.Task(
        task.latest.component(),
        task.latest.number(),
        task.sign(),
        rounded(silentSeconds(task, now)),
        task.latest.runs().stream().map(WorkerMessage.HeldRun::robot).sorted().toList(),
        task.latest.moreRuns());
  }

  private static SupervisionTree.Event shown(NotedEvent event, long now) {
    double ago = (double) (now - event.at()) / TimeUnit.SECONDS.toNanos(1);
    return new SupervisionTree.Event(event.kind(), event.service(), event.sentence(), rounded(ago));
  }

  /** Rounds to tenths of a second, which tell enough. */
  private static double rounded(double seconds) {
    return Math.round(seconds * 10) / 10.0;
  }
}
