package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.message.WorkerMessage;

/** Writes and reads what processes of a service say of themselves, with {@link FieldCodec}. */
final class WorkerSerializers {

  /** At least: a text's length, its number, its time, two counts. */
  private static final int TASK_BYTES = 4 * Integer.BYTES + Long.BYTES;

  private static final int RUN_BYTES = Integer.BYTES + 2 * Long.BYTES;

  private WorkerSerializers() {}

  static void writeWorker(Output out, WorkerMessage message) {
    FieldCodec.writeText(out, message.service());
    FieldCodec.writeText(out, message.host());
    out.writeLong(message.process());
    out.writeLong(message.startedAt());
    out.writeInt(message.tasks().size());
    for (WorkerMessage.Task task : message.tasks()) {
      FieldCodec.writeText(out, task.component());
      out.writeInt(task.number());
      out.writeLong(task.busyNanos());
      out.writeInt(task.runs().size());
      for (WorkerMessage.HeldRun run : task.runs()) {
        FieldCodec.writeText(out, run.robot());
        out.writeLong(run.number());
        out.writeLong(run.epoch());
      }
      out.writeInt(task.moreRuns());
    }
  }

  static WorkerMessage readWorker(Input in) {
    String service = FieldCodec.readText(in);
    String host = FieldCodec.readText(in);
    long process = in.readLong();
    long startedAt = in.readLong();
    int count = FieldCodec.readLength(in, TASK_BYTES, "tasks");
    List<WorkerMessage.Task> tasks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      tasks.add(readTask(in));
    }
    return new WorkerMessage(service, host, process, startedAt, tasks);
  }

  private static WorkerMessage.Task readTask(Input in) {
    String component = FieldCodec.readText(in);
    int number = in.readInt();
    long busyNanos = in.readLong();
    int count = FieldCodec.readLength(in, RUN_BYTES, "runs");
    List<WorkerMessage.HeldRun> runs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      runs.add(new WorkerMessage.HeldRun(FieldCodec.readText(in), in.readLong(), in.readLong()));
    }
    return new WorkerMessage.Task(component, number, busyNanos, runs, in.readInt());
  }
}
