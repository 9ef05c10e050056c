/** What a publisher sends to robots, and keeps in case they ask again. */
package org.cartostream.topology.answer;
