/**
 * The service as a Storm topology.
 *
 * <p>To read it, begin with {@link org.cartostream.topology.Streams}: who says what to whom. A
 * component is a bolt that names its streams and keeps, for each robot, a small state machine that
 * knows nothing of Storm:
 *
 * <table>
 *   <caption>Components</caption>
 *   <tr><th>party</th><th>component</th><th>keeps for each robot</th></tr>
 *   <tr><td>Robots</td><td>ScanSpout</td><td>nothing</td></tr>
 *   <tr><td>Dispatcher</td><td>DispatcherBolt</td><td>Admission: what may enter, and when</td></tr>
 *   <tr><td>Matchers</td><td>MatcherBolt</td><td>Share: this task's particles</td></tr>
 *   <tr><td>Resampler</td><td>ResamplerBolt</td><td>Council: weights, and who has what</td></tr>
 *   <tr><td>Publisher</td><td>PublisherBolt</td><td>Witness, with the Chronicle: paths, map, answers</td></tr>
 * </table>
 *
 * <p>That is {@link org.cartostream.topology.settings.Mode#DATAFLOW}. In {@link
 * org.cartostream.topology.settings.Mode#BSP} there is no resampler: each matcher has a council of
 * its own, and all hear the same by the collectives of {@link
 * org.cartostream.topology.collectives}. Which task gets which particle at a resampling, {@link
 * org.cartostream.topology.assignment} works out.
 *
 * <p>Two readings of a robot are in the filter at most, and a task takes the second when it is done
 * with the first: in each robot's share of the topology only the order within a key frame is open,
 * and the state machines take what comes within one in any order. So the answer is the serial
 * filter's, bit for bit.
 */
package org.cartostream.topology;
