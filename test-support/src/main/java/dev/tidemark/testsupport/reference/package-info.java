/**
 * A table and its indexes as DynamoDB's documentation describes them, as simply as can be: an index
 * is computed from the table when it is read. What the product answers is compared with it.
 *
 * <p>Nothing of the product is used but its values, so that no mistake is made twice; how requests
 * are sent does not belong here.
 */
@NullMarked
package dev.tidemark.testsupport.reference;

import org.jspecify.annotations.NullMarked;
