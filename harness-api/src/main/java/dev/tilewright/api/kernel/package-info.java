/**
 * Texts, cubins and launches of kernels that were tried, for whoever wants to run one without the service. Comes in:
 * what workers reported. Goes out: files. Must not know: families, what is in a text.
 */
@NullMarked
package dev.tilewright.api.kernel;

import org.jspecify.annotations.NullMarked;
