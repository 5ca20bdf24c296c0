/** JSON as requests and replies carry it, with DynamoDB's own complaints; not what it means. */
@NullMarked
package dev.tidemark.query.json;

import org.jspecify.annotations.NullMarked;
