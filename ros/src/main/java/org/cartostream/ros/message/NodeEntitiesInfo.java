package org.cartostream.ros.message;

import java.util.List;

/** {@code rmw_dds_common/NodeEntitiesInfo}: a node with its readers and writers. */
public record NodeEntitiesInfo(
    String nodeNamespace, String nodeName, List<Gid> readerGidSeq, List<Gid> writerGidSeq) {}
