/**
 * Text of other people and programs, shown so that it cannot move a cursor, forge a line or turn text around.
 *
 * <p>Comes in: any text. Goes out: text that is what it looks like. Must not know: whose text it is.
 */
@NullMarked
package dev.tilewright.worker.link.text;

import org.jspecify.annotations.NullMarked;
