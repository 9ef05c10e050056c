package org.cartostream.web.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.broker.message.WorkerMessage.HeldRun;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SupervisionTest {

  private final AtomicLong time = new AtomicLong(-TimeUnit.DAYS.toNanos(3));
  private final Supervision supervision = new Supervision(time::get);

  private void pass(double seconds) {
    time.addAndGet((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  private static WorkerMessage.Task task(int number, double busySeconds, HeldRun... runs) {
    long busy = (long) (busySeconds * TimeUnit.SECONDS.toNanos(1));
    return new WorkerMessage.Task("Matchers", number, busy, List.of(runs), 0);
  }

  /** A heartbeat of a process that was started at the millisecond of its number. */
  private void heartbeat(long process, WorkerMessage.Task... tasks) {
    supervision.heard(new WorkerMessage("service", "a", process, process, Arrays.asList(tasks)));
  }

  private List<SupervisionTree.Worker> workers() {
    return supervision.tree().services().get(0).hosts().get(0).workers();
  }

  private List<LifeSign> signs() {
    return workers().stream().map(SupervisionTree.Worker::sign).toList();
  }

  /** The latest last, with how long ago they were. */
  private List<String> events() {
    List<SupervisionTree.Event> all = supervision.tree().events();
    List<String> oldestFirst = new ArrayList<>();
    all.forEach(e -> oldestFirst.add(0, e.kind() + " " + e.secondsAgo() + " " + e.sentence()));
    return oldestFirst;
  }

  @Test
  void aProcessThatIsSilentIsLateThenGoneThenBack() {
    heartbeat(7, task(0, 0));
    heartbeat(8, task(1, 0));
    pass(1.5);
    heartbeat(8, task(1, 0));
    assertThat(signs()).containsExactly(LifeSign.HERE, LifeSign.HERE);
    pass(0.1);
    assertThat(signs()).containsExactly(LifeSign.LATE, LifeSign.HERE);
    assertThat(workers().get(0).silentSeconds()).isEqualTo(1.6);
    assertThat(workers().get(0).tasks().get(0).sign()).isEqualTo(LifeSign.LATE);
    for (int i = 0; i < 9; i++) {
      pass(0.5);
      heartbeat(8, task(1, 0));
    }
    assertThat(signs()).containsExactly(LifeSign.GONE, LifeSign.HERE);
    assertThat(workers().get(0).tasks().get(0).sign()).isEqualTo(LifeSign.GONE);
    heartbeat(7, task(0, 0));
    assertThat(signs()).containsExactly(LifeSign.HERE, LifeSign.HERE);
    assertThat(events())
        .containsExactly(
            "STARTED 6.1 process 7 on a is here",
            "STARTED 6.1 process 8 on a is here",
            "LATE 4.6 process 7 on a is late",
            "GONE 0.1 process 7 on a is gone",
            "BACK 0.0 process 7 on a is back");
  }

  /** Nobody looks for a minute: when things happened does not depend on that. */
  @Test
  void whatHappenedWhileNobodyLookedHasItsOwnTime() {
    heartbeat(7, task(0, 0));
    pass(60);
    assertThat(events())
        .containsExactly(
            "STARTED 60.0 process 7 on a is here",
            "LATE 58.5 process 7 on a is late",
            "GONE 54.0 process 7 on a is gone");
  }

  @Test
  void aTaskThatHangsIsLateWhileItsProcessIsWell() {
    heartbeat(7, task(0, 1.4), task(1, 0));
    assertThat(workers().get(0).tasks())
        .extracting(SupervisionTree.Task::sign)
        .containsOnly(LifeSign.HERE);
    pass(0.5);
    heartbeat(7, task(0, 1.9), task(1, 0));
    assertThat(signs()).containsExactly(LifeSign.HERE);
    assertThat(workers().get(0).tasks())
        .extracting(SupervisionTree.Task::sign)
        .containsExactly(LifeSign.LATE, LifeSign.HERE);
    assertThat(workers().get(0).tasks().get(0).silentSeconds()).isEqualTo(1.9);
    heartbeat(7, task(0, 0), task(1, 0));
    assertThat(events())
        .containsExactly(
            "STARTED 0.5 process 7 on a is here",
            "LATE 0.4 Matchers 0 in process 7 on a is late",
            "BACK 0.0 Matchers 0 in process 7 on a is back");
  }

  @Test
  void aProcessWhoseTasksAnotherHasIsNoneAnyMoreWhateverItStillSays() {
    heartbeat(7, task(0, 0), task(1, 0));
    heartbeat(8, task(2, 0));
    heartbeat(9, task(0, 0), task(1, 3));
    heartbeat(7, task(0, 0), task(1, 0));
    heartbeat(7, task(0, 0), task(1, 0));
    assertThat(workers()).extracting(SupervisionTree.Worker::process).containsExactly(8L, 9L);
    assertThat(events())
        .contains("RESTARTED 0.0 process 9 on a has the tasks of process 7 on a")
        .doesNotHaveDuplicates();
  }

  @Test
  void aRunIsRestoredWhenItsEpochGrows() {
    heartbeat(7, task(0, 0, new HeldRun("tb3", 5, 100)), task(1, 0));
    heartbeat(7, task(0, 0, new HeldRun("tb3", 5, 101), new HeldRun("tb4", 5, 102)));
    heartbeat(8, task(1, 0, new HeldRun("tb3", 5, 101)));
    heartbeat(7, task(0, 0, new HeldRun("tb3", 6, 103)));
    heartbeat(9, task(2, 0, new HeldRun("tb3", 6, 0)));
    assertThat(workers().get(0).tasks().get(0).robots()).containsExactly("tb3");
    assertThat(events().stream().filter(each -> each.startsWith("RESTORED")))
        .containsExactly("RESTORED 0.0 the run of robot tb3 was restored");
  }

  /** Another one, which says nothing any more, has died for all that is known. */
  @Test
  void aProcessThatEndsItsTasksIsNotShownAsOneThatHasDied() {
    heartbeat(7, task(0, 0));
    heartbeat(8, task(1, 0));
    heartbeat(7);
    assertThat(workers()).extracting(SupervisionTree.Worker::process).containsExactly(8L);
    heartbeat(7);
    pass(10);
    assertThat(signs()).containsExactly(LifeSign.GONE);
    assertThat(events())
        .containsExactly(
            "STARTED 10.0 process 7 on a is here",
            "STARTED 10.0 process 8 on a is here",
            "ENDED 10.0 process 7 on a has ended its tasks",
            "LATE 8.5 process 8 on a is late",
            "GONE 4.0 process 8 on a is gone");
  }

  /** While nothing is heard of anybody, nobody is taken to be gone. */
  @Test
  void anOutageOfTheObserverIsNoneOfTheService() {
    heartbeat(7, task(0, 0));
    pass(1);
    supervision.deaf("the broker is away");
    pass(100);
    assertThat(supervision.tree().trouble()).isEqualTo("the broker is away");
    assertThat(signs()).containsExactly(LifeSign.HERE);
    supervision.hearing();
    pass(1);
    assertThat(supervision.tree().trouble()).isEmpty();
    assertThat(signs()).containsExactly(LifeSign.HERE);
    pass(1);
    assertThat(signs()).containsExactly(LifeSign.LATE);
  }

  @Test
  void whatIsHeldIsBounded() {
    WorkerMessage.Task[] many = new WorkerMessage.Task[Supervision.MAX_TASKS + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = task(i, 0);
    }
    heartbeat(7, many);
    assertThat(workers().get(0).tasks()).hasSize(Supervision.MAX_TASKS);
    assertThat(supervision.tree().trouble()).contains("no more than 4096 tasks");
    for (int i = 0; i < Supervision.MAX_EVENTS; i++) {
      pass(2);
      heartbeat(7, task(0, 0));
    }
    assertThat(supervision.tree().events()).hasSize(Supervision.MAX_EVENTS);
    pass(601);
    assertThat(supervision.tree().services()).isEmpty();
  }
}
