package org.cartostream.topology.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.storm.Config;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Default;
import org.cartostream.topology.ScanTopology;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

/**
 * Storm's collector takes tuples from threads other than its task's: none is lost, doubled or out
 * of its thread's order, though the thread never emits again. All of them fit into the task's
 * queue: a task that has filled its own queue stops reading it, and so waits for ever.
 */
@Default
class EmitFromOtherThreadsIT {

  private static final int THREADS = 8;
  private static final int TUPLES = 3000;

  /** Tuples that came, of each thread; the local cluster's tasks are in this JVM. */
  private static final AtomicIntegerArray RECEIVED = new AtomicIntegerArray(THREADS);

  private static final Queue<String> FAULTS = new ConcurrentLinkedQueue<>();

  @Test
  void eachComesOnceAndInItsThreadsOrder() {
    ServiceSettings service =
        new ServiceSettings(
            Settings.defaults(FilterSettings.class),
            BrokerSettings.defaults(),
            Settings.defaults(TopologySettings.class));
    Config config = ScanTopology.configuration(service);
    config.put(Config.TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE, true);
    TopologyBuilder topology = new TopologyBuilder();
    topology.setSpout("Silent", new SilentSpout());
    topology.setBolt("Echo", new EchoBolt()).globalGrouping("Silent").directGrouping("Echo");
    try (LocalStorm storm = LocalStorm.start(1)) {
      storm.submit("threads", config, topology.createTopology());
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(
              () -> {
                for (int thread = 0; thread < THREADS; thread++) {
                  assertThat(RECEIVED.get(thread)).isEqualTo(TUPLES);
                }
              });
    }
    assertThat(FAULTS).isEmpty();
  }

  private static final class EchoBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private transient Thread own;

    @Override
    public void prepare(
        Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
      own = Thread.currentThread();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        new Thread(() -> emitAll(number, context.getThisTaskId(), collector)).start();
      }
    }

    private static void emitAll(int thread, int task, OutputCollector collector) {
      for (int i = 0; i < TUPLES; i++) {
        collector.emitDirect(task, new Values(thread, i));
      }
    }

    @Override
    public void execute(Tuple tuple) {
      int thread = tuple.getInteger(0);
      if (Thread.currentThread() != own || RECEIVED.get(thread) != tuple.getInteger(1)) {
        FAULTS.add(tuple.getValues() + " in " + Thread.currentThread());
      }
      RECEIVED.incrementAndGet(thread);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
      declarer.declare(true, new Fields("thread", "number"));
    }
  }

  /** A topology must have one. */
  private static final class SilentSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(
        Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {}

    @Override
    public void nextTuple() {}

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
      declarer.declare(new Fields("nothing"));
    }
  }
}
