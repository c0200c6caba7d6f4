/**
 * The page of shapes: what is best for which problem shape on which GPU, as heat maps and as a table. Comes in: the
 * best finals. Goes out: a page. Must not know how a final is run.
 */
@NullMarked
package dev.tilewright.api.web.shape;

import org.jspecify.annotations.NullMarked;
