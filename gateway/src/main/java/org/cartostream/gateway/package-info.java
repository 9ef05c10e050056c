/**
 * The robot's side: a source of readings (a log, a bag, a ROS robot), a session with the service
 * that sends them with credit, and sinks for maps and paths. Here: its settings, counts of
 * readings, and the reasons why one is skipped.
 *
 * <ul>
 *   <li>{@code session}: the protocol of one run with the service, the same for logs and robots
 *   <li>{@code replay}: the gateway of a recorded log
 *   <li>{@code live}: the gateway of a robot that drives now
 *   <li>{@code sink}: destinations of maps and paths
 *   <li>{@code ros}: the gateway of a robot that speaks ROS; {@code ros.scan} pairs its scans with
 *       odometry, {@code ros.tf} is its tree of frames, {@code ros.bag} reads bags as logs
 * </ul>
 */
package org.cartostream.gateway;
