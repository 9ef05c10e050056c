/**
 * What operations of a group cost: members that measure ({@link
 * org.cartostream.cli.collectives.BenchMember}), in threads or JVMs of their own, and who starts
 * them ({@link org.cartostream.cli.collectives.Launch}).
 */
package org.cartostream.cli.collectives;
