package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.MmaShape;
import dev.tilewright.emulator.async.Warpgroup;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;

/** Matrix products of warpgroups. PTX 9.7.15. */
public final class WgmmaOperations {
    private WgmmaOperations() {}

    public static Operation decode(Wgmma instruction, Operands operands) {
        return switch (instruction) {
            case Wgmma.Fence _ ->
                (strand, mask) -> {
                    BarrierOperations.requireWhole(strand, mask, "wgmma.fence");
                    strand.warp().wgmmaRegisters().fence();
                    return Outcome.NEXT;
                };
            case Wgmma.CommitGroup _ ->
                (strand, mask) -> {
                    BarrierOperations.requireWhole(strand, mask, "wgmma.commit_group");
                    strand.cta().warpgroup(strand.warp()).commit(strand.warp());
                    return Outcome.NEXT;
                };
            case Wgmma.WaitGroup i ->
                (strand, mask) -> {
                    BarrierOperations.requireWhole(strand, mask, "wgmma.wait_group");
                    Warpgroup warpgroup = strand.cta().warpgroup(strand.warp());
                    if (warpgroup.waitFor(strand.warp(), i.pending())) {
                        return Outcome.NEXT;
                    }
                    warpgroup.whenIssued(strand.waker());
                    strand.sleep(warpgroup::waitingFor);
                    return Outcome.RETRY;
                };
            case Wgmma.MmaAsync i -> multiply(i, operands);
        };
    }

    private static Operation multiply(Wgmma.MmaAsync i, Operands operands) {
        MmaShape shape = new MmaShape(
                i.n(),
                operands.words(i.d()),
                i.accumulator(),
                i.typeA(),
                i.typeB(),
                i.saturate(),
                new MmaShape.Signs(i.negateA(), i.negateB()),
                transposed(i.a()),
                i.transposeB());
        return multiply(shape, i.a(), operands.value(i.b()), i.scaleD(), operands);
    }

    private static boolean transposed(MatrixA matrix) {
        return matrix instanceof MatrixA.Descriptor s && s.transposed();
    }

    private static Operation multiply(
            MmaShape shape, MatrixA matrixA, SourceOperand b, ScaleD scale, Operands operands) {
        SourceOperand a = switch (matrixA) {
            case MatrixA.Descriptor s -> operands.value(s.descriptor());
            case MatrixA.Fragment _ -> SourceOperand.constant(0);
        };
        int[] fragments = switch (matrixA) {
            case MatrixA.Descriptor _ -> new int[0];
            case MatrixA.Fragment f -> operands.words(f.registers());
        };
        int condition = switch (scale) {
            case ScaleD.Fixed _ -> -1;
            case ScaleD.When w -> operands.predicate(w.accumulate());
        };
        boolean always = scale instanceof ScaleD.Fixed fixed && fixed.accumulate();
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "wgmma.mma_async");
            Warp warp = strand.warp();
            boolean accumulate = always;
            if (condition >= 0) {
                int bits = warp.predicates[condition];
                if (bits != 0 && bits != -1) {
                    throw new HazardFound(new Hazard.Divergent("scale-d differs between lanes"));
                }
                accumulate = bits != 0;
            }
            strand.cta()
                    .warpgroup(warp)
                    .issue(
                            strand.origin(),
                            shape,
                            uniform(a, warp, "the descriptor of A"),
                            uniform(b, warp, "the descriptor of B"),
                            accumulate,
                            fragments);
            return Outcome.NEXT;
        };
    }

    private static long uniform(SourceOperand value, Warp warp, String what) {
        long first = value.get(warp, 0);
        for (int lane = 1; lane < Warp.LANES; lane++) {
            if (value.get(warp, lane) != first) {
                throw new HazardFound(new Hazard.Divergent(what + " differs between lanes"));
            }
        }
        return first;
    }
}
