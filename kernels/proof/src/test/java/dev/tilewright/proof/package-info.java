/** Proofs of configs, on small problems. */
@NullMarked
package dev.tilewright.proof;

import org.jspecify.annotations.NullMarked;
