@NullMarked
package dev.tilewright.proof.file;

import org.jspecify.annotations.NullMarked;
