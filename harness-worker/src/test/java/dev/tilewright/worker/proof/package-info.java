/** Proofs of configs, on small problems. */
@NullMarked
package dev.tilewright.worker.proof;

import org.jspecify.annotations.NullMarked;
