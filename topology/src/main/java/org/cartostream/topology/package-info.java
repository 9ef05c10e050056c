/**
 * The service as a Storm topology.
 *
 * <p>A reader may begin with {@link org.cartostream.topology.stream.Streams}, which lists all
 * streams with sender, receivers and payload. Each component is a bolt that registers its streams
 * and keeps, for each robot, a small state machine that does not depend on Storm:
 *
 * <table>
 *   <caption>Components</caption>
 *   <tr><th>component</th><th>class</th><th>keeps for each robot</th></tr>
 *   <tr><td>Dispatcher</td><td>DispatcherBolt</td><td>RunLifecycle: admits readings to the filter; restores the run</td></tr>
 *   <tr><td>Matchers</td><td>MatcherBolt</td><td>PartitionWorker: this task's particles</td></tr>
 *   <tr><td>Resampler</td><td>ResamplerBolt</td><td>ResamplingCoordinator: decides which particles survive, and on which tasks</td></tr>
 *   <tr><td>Publisher</td><td>PublisherBolt</td><td>RunPublisher: paths, map, answers</td></tr>
 * </table>
 *
 * <p>The table describes {@link org.cartostream.topology.settings.ResamplingMode#DATAFLOW}. In
 * {@link org.cartostream.topology.settings.ResamplingMode#BSP} there is no resampler: each matcher
 * has a coordinator of its own, and all receive the same weights by {@code
 * org.cartostream.collectives}. {@link org.cartostream.topology.assignment} decides which task gets
 * which particle at a resampling.
 *
 * <p>At most two readings of a robot are in the filter at a time, and a task takes the second when
 * it is done with the first. So for each robot only the order of messages within a key frame can
 * vary, and the state machines accept these in any order. Hence the answer equals the serial
 * filter's, bit for bit. This also holds after a failure, when the run goes on from a checkpoint
 * and repeats the later readings.
 */
package org.cartostream.topology;
