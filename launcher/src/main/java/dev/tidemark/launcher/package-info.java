/**
 * Starts a node: reads the configuration, chooses the roles, joins the services and owns the
 * embedded broker.
 *
 * <p>No rule about tables, indexes or requests belongs here.
 */
@NullMarked
package dev.tidemark.launcher;

import org.jspecify.annotations.NullMarked;
