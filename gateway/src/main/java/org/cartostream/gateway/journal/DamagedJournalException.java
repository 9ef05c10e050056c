package org.cartostream.gateway.journal;

import org.cartostream.gateway.GatewayException;

/** A journal is not what was written: its run cannot go on, whatever run that is. */
public final class DamagedJournalException extends GatewayException {

  private static final long serialVersionUID = 1L;

  DamagedJournalException(String sentence) {
    super(sentence);
  }
}
