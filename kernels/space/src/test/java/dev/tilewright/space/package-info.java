/** Tests of search spaces. */
@NullMarked
package dev.tilewright.space;

import org.jspecify.annotations.NullMarked;
