package org.cartostream.deploy.submission;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.deploy.host.Host;

/**
 * The JVM's class archive (CDS) of the libraries of a host's workers, so that a worker starts
 * faster: classes of the archive are mapped into memory, where others are read from jars, parsed
 * and verified. The service's own classes are not in it, for each topology has its own jar.
 *
 * <p>It is made once, in the background, where the workers run: by that JVM, from those jars.
 * Workers name a file of JVM options, which is empty until then; so without it they start as ever.
 * The JVM does not use an archive that is not of itself and these jars, and says nothing.
 *
 * @param home of Storm, for which it is
 */
public record WorkerArchive(Path home) {

  private static final String CLASSES = "worker-classes.txt";

  /** Of the JVM that makes it. */
  private static final int HEAP_MEGABYTES = 256;

  private Path options() {
    return home.resolve("conf/worker.options");
  }

  private Path classes() {
    return home.resolve("conf").resolve(CLASSES);
  }

  /** An option of workers, and of other JVMs with their libraries. */
  public String jvmOption() {
    return "-XX:VMOptionsFile=" + options();
  }

  /** Writes what is needed to make it; there is none yet. */
  void prepare() throws IOException {
    Files.createFile(options());
    try (InputStream names = WorkerArchive.class.getResourceAsStream(CLASSES)) {
      Files.copy(names, classes());
    }
  }

  /**
   * The script that makes it, with what is left of the processor; it takes some ten seconds.
   *
   * @param java the JVM's program there
   */
  public String script(String java) {
    Path archive = home.resolve("worker.jsa");
    return """
        nice -n 19 %s -Xmx%dm -Xshare:dump -Xlog:disable -XX:SharedClassListFile=%s -XX:SharedArchiveFile=%s -cp %s
        printf '%%s\\n' %s >%s
        mv %s %s
        """
        .formatted(
            Host.quoted(java),
            HEAP_MEGABYTES,
            Host.quoted(classes().toString()),
            Host.quoted(archive.toString()),
            Host.quoted(home.resolve("lib-worker") + "/*"),
            Host.quoted("\"-XX:SharedArchiveFile=" + archive + "\""),
            Host.quoted(options() + ".next"),
            Host.quoted(options() + ".next"),
            Host.quoted(options().toString()));
  }
}
