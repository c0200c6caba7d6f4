/**
 * Tile schedulers behind one interface, so that the roles of a kernel do not know which they have.
 *
 * <p>Comes in: the number of cluster tiles and the place of the CTA. Goes out: for each role a cursor over linear
 * cluster tiles. Must not know: raster orders, what is computed for a tile.
 */
@NullMarked
package dev.tilewright.gemm.scheduler;

import org.jspecify.annotations.NullMarked;
