/** The gateway of a recorded log: one run, at a pace, with counts and a report. */
package org.cartostream.gateway.replay;
