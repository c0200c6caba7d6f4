/**
 * Configs in short, with a legend: what boards write of a config, in the words of its family.
 *
 * <p>Comes in: words of a family and a config. Goes out: marks, each with what it means. Must not know: which families
 * and parameters there are, nor how a table looks.
 */
@NullMarked
package dev.tilewright.space.text;

import org.jspecify.annotations.NullMarked;
