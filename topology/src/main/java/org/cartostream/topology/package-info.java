/**
 * The service as a Storm topology.
 *
 * <p>To read it, begin with {@link org.cartostream.topology.stream.Streams}: who sends what to
 * whom. A component is a bolt that names its streams and keeps, for each robot, a small state
 * machine that knows nothing of Storm:
 *
 * <table>
 *   <caption>Components</caption>
 *   <tr><th>component</th><th>class</th><th>keeps for each robot</th></tr>
 *   <tr><td>Dispatcher</td><td>DispatcherBolt</td><td>RunLifecycle: what may enter, and when; restores the run</td></tr>
 *   <tr><td>Matchers</td><td>MatcherBolt</td><td>PartitionWorker: this task's particles</td></tr>
 *   <tr><td>Resampler</td><td>ResamplerBolt</td><td>ResamplingCoordinator: weights, and who has what</td></tr>
 *   <tr><td>Publisher</td><td>PublisherBolt</td><td>RunPublisher: paths, map, answers</td></tr>
 * </table>
 *
 * <p>That is {@link org.cartostream.topology.settings.ResamplingMode#DATAFLOW}. In {@link
 * org.cartostream.topology.settings.ResamplingMode#BSP} there is no resampler: each matcher has a
 * coordinator of its own, and all receive the same weights by {@code org.cartostream.collectives}.
 * Which task gets which particle at a resampling, {@link org.cartostream.topology.assignment} works
 * out.
 *
 * <p>Two readings of a robot are in the filter at most, and a task takes the second when it is done
 * with the first: for each robot only the order within a key frame is open, and the state machines
 * take what comes within one in any order. So the answer is the serial filter's, bit for bit; after
 * a failure, too, for a run then goes on from a checkpoint and repeats what came after it.
 */
package org.cartostream.topology;
