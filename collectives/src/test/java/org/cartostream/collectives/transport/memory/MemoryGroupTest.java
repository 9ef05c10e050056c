package org.cartostream.collectives.transport.memory;

import org.cartostream.collectives.ChannelContract;
import org.cartostream.testing.Quick;

@Quick
class MemoryGroupTest extends ChannelContract {

  @Override
  protected String transport() {
    return "memory";
  }

  @Override
  protected int tries() {
    return 1500;
  }
}
