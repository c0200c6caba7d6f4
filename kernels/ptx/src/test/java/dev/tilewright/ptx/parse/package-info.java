/**
 * Texts of others, wrong texts, random texts.
 *
 * <p>In: texts beside the tests. Out: nothing. Must not know: a GPU.
 */
@NullMarked
package dev.tilewright.ptx.parse;

import org.jspecify.annotations.NullMarked;
