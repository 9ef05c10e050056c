/**
 * Operating-system processes and files of a cluster on one host: start, find, await, kill, copy.
 */
package org.cartostream.deploy.process;
