/** What it costs to bring one key frame to all matchers, by place and by Storm's all-grouping. */
package org.cartostream.bench.broadcast;
