package org.cartostream.cli.command;

import org.cartostream.testing.Nightly;

/** The journal of a replay by Storm. */
@Nightly
class ChangedStormJournalIT extends ChangedFiles {

  ChangedStormJournalIT() {
    super("storm", ChangedFolder.Kind.JOURNAL);
  }
}
