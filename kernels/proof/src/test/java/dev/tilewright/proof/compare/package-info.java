@NullMarked
package dev.tilewright.proof.compare;

import org.jspecify.annotations.NullMarked;
