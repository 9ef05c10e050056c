/**
 * The assignment of particles to tasks: how many each task is to have ({@link
 * org.cartostream.topology.assignment.LoadBalancer}), and which, such that the fewest bytes move
 * ({@link org.cartostream.topology.assignment.Assignment}). The package depends neither on Storm
 * nor on robots.
 *
 * <p>Spreading the children of resampled particles over tasks is the fixed-charge transportation
 * problem (Balinski 1961): a {@code TransportationProblem}. An {@code InitialPlan} is found by the
 * Hungarian algorithm (Kuhn 1955, Munkres 1957) among other means; {@code BranchAndBound} improves
 * it by branch and bound (Land and Doig 1960). Its lower bound is a {@code LinearRelaxation},
 * solved by the Hungarian method for groups. All are pure functions of their input, in whole
 * numbers; ties go to the lower number.
 */
package org.cartostream.topology.assignment;
