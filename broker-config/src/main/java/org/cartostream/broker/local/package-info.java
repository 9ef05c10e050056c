/** Private brokers on this machine, for tests and benches. */
package org.cartostream.broker.local;
