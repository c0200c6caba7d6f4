/**
 * YAML and JSON documents as trees that know where in the file each value stands.
 *
 * <p>Comes in: text. Goes out: nodes, and errors that name position, key, value and rule. Must not know: what the
 * document describes.
 */
@NullMarked
package dev.tilewright.launch.document;

import org.jspecify.annotations.NullMarked;
