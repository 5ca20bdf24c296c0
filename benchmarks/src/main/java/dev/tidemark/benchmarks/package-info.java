/**
 * Measurements of hot paths, run by hand with JMH.
 *
 * <p>No test that decides whether a build is good belongs here.
 */
@NullMarked
package dev.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
