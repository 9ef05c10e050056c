/** A recorded log as one run, at a pace; its counts and report. */
package org.cartostream.gateway.replay;
