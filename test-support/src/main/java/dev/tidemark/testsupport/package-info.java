/**
 * What tests of several rooms share: fakes, generators, the scenario runner and the invariant
 * check.
 *
 * <p>Nothing that ships belongs here.
 */
@NullMarked
package dev.tidemark.testsupport;

import org.jspecify.annotations.NullMarked;
