package org.cartostream.deploy.artefact;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.deploy.artefact.Artefacts.Answer;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image under {@code runc}: not as root, with a root that is read-only, and one volume. */
@Nightly
class ImageIT {

  /** What docker and podman do of themselves: their root read-only, a volume, no terminal. */
  private static final String CHANGES =
      """
      .root.readonly = true | .process.terminal = false | .hostname = "cartostream"
      | .process.args = ["/usr/bin/cartostream", "replay", "office"]
      | .mounts |= map(select(.destination != "/var/lib/cartostream"))
      | .mounts += [{destination: "/var/lib/cartostream", type: "bind", source: "%s",
          options: ["bind", "rw"]}]
      """;

  @TempDir private Path folder;

  @Test
  void mapsTheOffice() throws Exception {
    Artefacts.requireRoot();
    Artefacts.require("mmdebstrap", "umoci", "runc");
    Path deb = Artefacts.get("cartostream_VERSION_amd64.deb");
    Artefacts.run(Map.of(), "deploy/image/make", deb.toString(), folder.toString());
    Path image = Files.createDirectory(folder.resolve("image"));
    String archive = deb.getFileName().toString().replace(".deb", ".oci.tar");
    Artefacts.run(
        Map.of(), "tar", "-xf", folder.resolve(archive).toString(), "-C", image.toString());
    Path bundle = folder.resolve("bundle");
    Artefacts.run(Map.of(), "umoci", "unpack", "--image", image + ":latest", bundle.toString());
    Path volume = bundle.resolve("rootfs/var/lib/cartostream");
    Path data = folder.resolve("data");
    Artefacts.run(Map.of(), "cp", "-a", volume.toString(), data.toString()); // With its owner.
    Path config = bundle.resolve("config.json");
    Files.writeString(
        config, Artefacts.run(Map.of(), "jq", CHANGES.formatted(data), config.toString()));

    Artefacts.run(
        Map.of(), "runc", "run", "--bundle", bundle.toString(), "cartostream-" + deb.hashCode());

    Artefacts.expected(folder.resolve("expected"))
        .requireSame(Answer.of(data.resolve("out/office")));
  }
}
