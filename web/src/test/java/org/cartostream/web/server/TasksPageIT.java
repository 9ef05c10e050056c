package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.broker.message.WorkerMessage.HeldRun;
import org.cartostream.testing.Nightly;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;

/** Who is alive, on the page of a service, in a real browser. */
@Nightly
class TasksPageIT {

  @TempDir private Path temp;

  private final Supervision supervision = new Supervision();

  /** Those that give signs of life, by the number of their process. */
  private final Map<Long, WorkerMessage> alive = new ConcurrentHashMap<>();

  private final ScheduledExecutorService heartbeats = Executors.newSingleThreadScheduledExecutor();
  private TestBrowser page;
  private WebServer server;

  @BeforeEach
  void open() throws IOException {
    page = TestBrowser.open(temp);
    server = WebServer.start(new WebAddress("127.0.0.1", 0), new ShownRuns(), supervision);
    heartbeats.scheduleAtFixedRate(
        () -> alive.values().forEach(supervision::heard), 0, 200, TimeUnit.MILLISECONDS);
    lives(41, task("Dispatcher", 0, 0), task("Matchers", 0, 0, "tb3", "tb4"));
    lives(42, task("Matchers", 1, 0, "tb3", "tb4"), task("Publisher", 0, 0, "tb3", "tb4"));
    page.driver().get(server.url());
  }

  @AfterEach
  void close() {
    heartbeats.shutdownNow();
    if (page != null) {
      page.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static WorkerMessage.Task task(
      String component, int number, double busySeconds, String... robots) {
    List<HeldRun> runs = List.of(robots).stream().map(each -> new HeldRun(each, 1, 1)).toList();
    return new WorkerMessage.Task(component, number, (long) (busySeconds * 1e9), runs, 0);
  }

  /** From now on it gives signs of life. */
  private void lives(long process, WorkerMessage.Task... tasks) {
    alive.put(process, new WorkerMessage("service", "one", process, process, List.of(tasks)));
  }

  /** How the box of a process or a task is drawn: the style of its border; empty if it is none. */
  private String border(String name) {
    return page.driver().findElements(By.cssSelector("#tree .box")).stream()
        .filter(box -> box.getText().startsWith(name))
        .map(box -> box.getCssValue("border-top-style") + " " + box.getText().replace('\n', ' '))
        .findFirst()
        .orElse("");
  }

  /** The tree is drawn anew each second: what was found may be gone. */
  private void until(String name, String border) {
    await()
        .ignoreException(StaleElementReferenceException.class)
        .untilAsserted(() -> assertThat(border(name)).startsWith(border));
  }

  private List<String> marks() {
    return page.driver().findElements(By.cssSelector("#line rect")).stream()
        .map(mark -> mark.getDomAttribute("class"))
        .toList();
  }

  @Test
  void whatIsLateIsDashedAndWhatIsGoneIsStruckOutUntilAnotherHasItsTasks() throws Exception {
    until("process 41", "solid process 41");
    until("Matchers 1", "solid Matchers 1");
    assertThat(page.driver().findElement(By.id("tree")).getText())
        .contains("service", "one", "process 42", "tb3", "tb4");
    page.screenshot("tasks");

    alive.remove(42L);
    until("process 42", "dashed process 42 late: ");
    until("Matchers 1", "dashed Matchers 1 late: ");
    until("process 41", "solid process 41");
    page.screenshot("tasks-late");
    await()
        .ignoreException(StaleElementReferenceException.class)
        .untilAsserted(
            () -> assertThat(border("process 42")).contains("process 42").contains("gone: "));
    assertThat(page.driver().findElements(By.cssSelector("#tree .gone"))).hasSize(3);
    page.screenshot("tasks-gone");

    lives(43, task("Matchers", 1, 0, "tb3"), task("Publisher", 0, 0, "tb3", "tb4"));
    until("process 43", "solid process 43");
    await()
        .ignoreException(StaleElementReferenceException.class)
        .untilAsserted(() -> assertThat(border("process 42")).isEmpty());
    lives(41, task("Dispatcher", 0, 0), task("Matchers", 0, 3, "tb3", "tb4"));
    until("Matchers 0", "dashed Matchers 0 late: ");
    until("process 41", "solid process 41");
    assertThat(page.driver().findElement(By.id("happened")).getText())
        .contains("process 42 on one is late", "process 42 on one is gone")
        .contains("process 43 on one has the tasks of process 42 on one");
    assertThat(marks()).contains("late", "gone", "restarted");
    page.screenshot("tasks-hung");
    page.assertNoErrors();
  }
}
