package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.Optional;

/**
 * One role's walk over its tiles: registers of that role.
 *
 * @param reader whose walk it is
 * @param tile linear cluster tile
 * @param hasWork whether {@code tile} is one; once false, the walk is over
 * @param ring where the role stands in the ring of a dynamic scheduler
 */
public record TileCursor(TileReader reader, Reg<B32> tile, Reg<Pred> hasWork, Optional<RingCursor> ring) {}
