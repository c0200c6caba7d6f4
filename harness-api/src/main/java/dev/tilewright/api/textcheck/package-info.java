/**
 * Kernel texts that users want checked. Comes in: a text and the description of its launch. Goes out: a task for an
 * emulated GPU, and what it has found. Must not know how a text is checked.
 */
@NullMarked
package dev.tilewright.api.textcheck;

import org.jspecify.annotations.NullMarked;
