/**
 * Localisation of a robot in a map that is there: Monte Carlo localisation (Thrun, Burgard, Fox:
 * Probabilistic Robotics, 2005, chapter 8).
 */
package org.cartostream.slam.localisation;
