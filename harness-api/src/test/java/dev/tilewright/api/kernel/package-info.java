/** Tests of the files of kernels over the wire and over HTTP. */
@NullMarked
package dev.tilewright.api.kernel;

import org.jspecify.annotations.NullMarked;
