package org.cartostream.cli.command;

import org.cartostream.testing.Nightly;

/** The checkpoints of a replay by Storm. */
@Nightly
class ChangedStormFolderIT extends ChangedFiles {

  ChangedStormFolderIT() {
    super("storm", ChangedFolder.Kind.MANIFEST, ChangedFolder.Kind.PART);
  }
}
