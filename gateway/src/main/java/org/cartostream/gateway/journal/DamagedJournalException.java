package org.cartostream.gateway.journal;

import org.cartostream.gateway.GatewayException;

/** Thrown if the content of a journal's file was changed, so that its run cannot be continued. */
public final class DamagedJournalException extends GatewayException {

  private static final long serialVersionUID = 1L;

  DamagedJournalException(String sentence) {
    super(sentence);
  }

  DamagedJournalException(String sentence, Exception cause) {
    super(sentence, cause);
  }
}
