/**
 * Search spaces as structures: parameters, the rules between them, and ways to count, draw and walk what keeps the
 * rules.
 *
 * <p>Comes in: parameters and constraints of a family. Goes out: configs. Must not know: what a parameter means, PTX,
 * CUDA, SQL, HTTP.
 */
@NullMarked
package dev.tilewright.space;

import org.jspecify.annotations.NullMarked;
