/** Gates over HTTP, with workers whose answers are written down beforehand. */
@NullMarked
package dev.tilewright.api.gate;

import org.jspecify.annotations.NullMarked;
