/**
 * The page on which a kernel text is pasted and its finding read. Comes in: a form. Goes out: a check, and what it has
 * found. Must not know how a text is checked.
 */
@NullMarked
package dev.tilewright.api.web.check;

import org.jspecify.annotations.NullMarked;
