/** Options that several commands have in common. */
package org.cartostream.cli.options;
