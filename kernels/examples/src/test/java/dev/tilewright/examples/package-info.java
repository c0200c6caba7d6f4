/** Tests of the kernel families without a GPU. */
@NullMarked
package dev.tilewright.examples;

import org.jspecify.annotations.NullMarked;
