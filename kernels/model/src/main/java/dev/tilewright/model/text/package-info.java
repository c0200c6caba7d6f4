/**
 * Words for people. Comes in: an exception of the platform. Goes out: its reason in English. Must not know: who reads
 * it.
 */
@NullMarked
package dev.tilewright.model.text;

import org.jspecify.annotations.NullMarked;
