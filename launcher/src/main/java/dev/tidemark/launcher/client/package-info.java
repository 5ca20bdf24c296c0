/** Talking to a running server as any DynamoDB client does; not what is said. */
@NullMarked
package dev.tidemark.launcher.client;

import org.jspecify.annotations.NullMarked;
