/**
 * The assignment of particles to tasks: how many each is to have ({@link
 * org.cartostream.topology.assignment.LoadBalancer}), and which, such that the fewest bytes move
 * ({@link org.cartostream.topology.assignment.Assignment}). Knows neither Storm nor robots.
 *
 * <p>To spread siblings is the fixed-charge transportation problem (Balinski 1961): a {@code
 * TransportProblem}. An {@code InitialPlan} comes of the Hungarian algorithm (Kuhn 1955, Munkres
 * 1957) among other means; {@code BranchAndBound} improves it by branch and bound (Land and Doig
 * 1960), with a {@code LinearRelaxation} as the bound, which is the Hungarian method in its form
 * for groups. All are pure functions of their input, in whole numbers; ties go to the lower number.
 */
package org.cartostream.topology.assignment;
