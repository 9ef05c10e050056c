/**
 * Submission of the service to a Storm cluster that runs in processes of its own.
 *
 * <p>A {@link org.cartostream.deploy.submission.StormHome} holds the libraries, ours and Storm's,
 * in our versions; a {@link org.cartostream.deploy.submission.TopologyJar} holds our classes and
 * nothing else, so no library is there twice; {@link org.cartostream.deploy.submission.Nimbus}
 * takes the jar, and lists what runs.
 */
package org.cartostream.deploy.submission;
