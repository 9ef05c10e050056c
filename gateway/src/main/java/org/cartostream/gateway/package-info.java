/**
 * The robot's side: reads a source, sends its readings across the broker with credit, and takes
 * poses, maps and the whole trajectory back.
 *
 * <p>A {@link org.cartostream.gateway.Replay} is one run of a recorded log; the rules of the road
 * are those of {@link org.cartostream.broker}.
 */
package org.cartostream.gateway;
