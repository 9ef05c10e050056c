package org.cartostream.topology.task;

import com.esotericsoftware.kryo.Kryo;
import com.rabbitmq.client.impl.ClientVersion;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.storm.utils.VersionInfo;

/**
 * The versions of the libraries that a worker has actually loaded. On its class path the cluster's
 * libraries precede the topology's, so versions may differ from those with which the topology was
 * built.
 */
public final class LibraryVersions {

  private LibraryVersions() {}

  /** Returns the version or, if that is unknown, the jar's name of each library. */
  public static Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("java", System.getProperty("java.runtime.version"));
    versions.put("storm", VersionInfo.getVersion());
    versions.put("amqp-client", ClientVersion.VERSION);
    for (Class<?> type : List.of(Kryo.class, ByteBuf.class, CuratorFramework.class)) {
      String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
      versions.put(
          type.getSimpleName().toLowerCase(Locale.ROOT), jar.substring(jar.lastIndexOf('/') + 1));
    }
    return versions;
  }
}
