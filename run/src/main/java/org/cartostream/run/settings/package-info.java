/** The whole configuration of all modules as one record. */
package org.cartostream.run.settings;
