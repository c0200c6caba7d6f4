/** What the service takes under load and by size, and the figures that are written of it. */
@NullMarked
package dev.tilewright.api.load;

import org.jspecify.annotations.NullMarked;
