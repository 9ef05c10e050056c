/** Early ends of a process: with an exit code and a sentence, or because a signal asks for it. */
package org.cartostream.run.exit;
