package org.cartostream.cli.command;

import org.cartostream.testing.Nightly;

/** The results of a replay by Storm. */
@Nightly
class ChangedStormResultIT extends ChangedFiles {

  ChangedStormResultIT() {
    super("storm", ChangedFolder.Kind.MAP);
  }
}
