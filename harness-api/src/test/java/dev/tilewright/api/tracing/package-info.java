/** What a collector receives of a job. */
@NullMarked
package dev.tilewright.api.tracing;

import org.jspecify.annotations.NullMarked;
