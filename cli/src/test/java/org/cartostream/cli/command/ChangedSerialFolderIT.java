package org.cartostream.cli.command;

import org.cartostream.testing.Nightly;

/** All that a replay by one thread reads again, or writes. */
@Nightly
class ChangedSerialFolderIT extends ChangedFiles {

  ChangedSerialFolderIT() {
    super(
        "serial",
        ChangedFolder.Kind.MANIFEST,
        ChangedFolder.Kind.PART,
        ChangedFolder.Kind.MAP,
        ChangedFolder.Kind.STATE);
  }
}
