@NullMarked
package dev.tilewright.proof.emulation;

import org.jspecify.annotations.NullMarked;
