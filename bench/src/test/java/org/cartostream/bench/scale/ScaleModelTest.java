package org.cartostream.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.cartostream.run.Logs;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ResamplingMode;
import org.junit.jupiter.api.Test;

@Quick
class ScaleModelTest {

  private static final int READINGS = 12;
  private static final ScaleCase WAY =
      new ScaleCase(6, ScaleCase.Variant.PLAIN, ResamplingMode.DATAFLOW, null, 1);

  private static ScaleModel model(Function<ScaleCase, ScaleRun> measuring, BooleanSupplier stop) {
    RootSettings defaults = Settings.defaults(RootSettings.class);
    return new ScaleModel(
        new ScaleBench.ScaleOptions(
            Logs.OFFICE, defaults, READINGS, 1, false, "", Path.of("unused")),
        way -> Settings.build(RootSettings.class, way.settings()),
        measuring,
        new PrintWriter(new StringWriter()),
        stop);
  }

  /** Whoever wants the end while hundreds of readings are rehearsed gets it at the next one. */
  @Test
  void stopsInTheMiddleOfARehearsal() throws IOException, InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    ScaleModel model =
        model(
            way -> {
              throw new AssertionError("nothing is to be measured any more");
            },
            () -> asked.incrementAndGet() > READINGS / 2);

    assertThat(model.modelCores(WAY, List.of(2, 3), false)).isEmpty();
    assertThat(model.compareWithMeasured(WAY, Map.of(), 1)).isEmpty();
    assertThat(asked.get()).isGreaterThan(READINGS / 2).isLessThan(READINGS);
  }

  /** What a run says that was interrupted is no measure of words: nothing is modelled by it. */
  @Test
  void modelsNothingByAnInterruptedRun() throws IOException, InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean();
    ScaleModel model =
        model(
            way -> {
              interrupted.set(true);
              return new ScaleRun(List.of());
            },
            interrupted::get);

    assertThat(model.modelCores(WAY, List.of(1), false)).isEmpty();
    assertThat(interrupted).isTrue();
  }
}
