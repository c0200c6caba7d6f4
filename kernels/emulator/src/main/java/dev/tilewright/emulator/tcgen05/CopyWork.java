package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.order.TensorAccess;
import dev.tilewright.emulator.tensor.MatrixDescriptor;
import dev.tilewright.emulator.tensor.TensorDescriptor;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.List;

/**
 * A tcgen05.cp: rows of a K-major matrix in shared memory become lanes of tensor memory; in a pair each CTA copies from
 * its own shared memory. PTX 9.7.16.9.2.
 */
final class CopyWork implements TensorWork {
    /**
     * The extent of a copy.
     *
     * @param rows of the matrix; fewer than 128 are repeated in all lanes
     * @param chunks of 16 bytes of a row
     */
    record Extent(int rows, int chunks) {}

    private static final int CHUNK = 16;
    private static final int WORDS = CHUNK / 4;

    private final Origin origin;
    private final CtaGroup group;
    private final List<TensorUnit> units;
    private final Extent extent;
    private final int column;
    private final MatrixDescriptor matrix;
    private final TensorRead read;

    /** A copy that the actor has just issued. */
    CopyWork(
            Origin origin,
            CtaGroup group,
            List<TensorUnit> units,
            Extent extent,
            int address,
            long source,
            TensorAccess access,
            Actor actor) {
        this.origin = origin;
        this.group = group;
        this.units = units;
        this.extent = extent;
        column = address & 0xFFFF;
        if (address >>> 16 != 0) {
            throw new HazardFound(
                    new Hazard.TensorMemoryMisuse("tcgen05.cp into lane " + (address >>> 16) + ", not 0"));
        }
        TensorDescriptor.refusal(source).ifPresent(rule -> {
            throw new HazardFound(new Hazard.BadDescriptor("the source", source, rule));
        });
        matrix = TensorDescriptor.decode(source);
        matrix.rowRefusal(extent.chunks() * CHUNK).ifPresent(rule -> {
            throw new HazardFound(new Hazard.BadDescriptor("the source", source, rule));
        });
        read = new TensorRead(origin, "tcgen05.cp", access.access());
        for (TensorUnit unit : units) {
            actor.order().issueTensorWork(actor.lane(), () -> {
                for (int row = 0; row < extent.rows(); row++) {
                    for (int chunk = 0; chunk < extent.chunks(); chunk++) {
                        read.claim(unit.shared(), matrix.kMajor(row, chunk));
                    }
                }
            });
            TensorMemory memory = unit.memory();
            int columns = WORDS * extent.chunks();
            memory.requireOwned(unit, column, columns, "tcgen05.cp");
            for (int at = column; at < column + columns; at++) {
                for (int lane = 0; lane < TensorMemory.LANES; lane += TensorMemory.GRANULE_LANES) {
                    memory.shadow().write(actor, 1 << actor.lane(), access, TensorMemory.granule(at, lane));
                }
            }
        }
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public CtaGroup group() {
        return group;
    }

    @Override
    public void execute() {
        for (TensorUnit unit : units) {
            byte[] data = unit.shared().data();
            for (int lane = 0; lane < TensorMemory.LANES; lane++) {
                for (int i = 0; i < WORDS * extent.chunks(); i++) {
                    int at = matrix.kMajor(lane % extent.rows(), i / WORDS) + i % WORDS * 4;
                    unit.memory().set(column + i, lane, Bytes.getInt(data, at));
                }
            }
        }
        read.release();
    }

    @Override
    public String toString() {
        return "the tcgen05.cp of " + origin;
    }
}
