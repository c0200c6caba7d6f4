package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;

import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;

/**
 * One instruction as text, without the semicolon: by the table of {@link Forms}, but for those that no line can say.
 */
final class InstructionText {
    private InstructionText() {}

    static String of(Instruction instruction) {
        return switch (instruction) {
            case Move i -> ComputationText.move(i);
            case Arithmetic.MultiplyAdd i ->
                line("mad." + i.half().ptx() + "." + i.type().ptx(), i.d(), i.a(), i.b(), i.c());
            case CarryArithmetic.Add i ->
                (i.subtract() ? "sub" : "add")
                        + (i.carryIn() ? "c" : "")
                        + (i.carryOut() ? ".cc." : ".")
                        + i.type().ptx()
                        + FormText.of(i);
            case Compare.SetPredicate i -> ComputationText.setPredicate(i);
            case Compare.SetValue i -> ComputationText.setValue(i);
            case Convert.ToGeneric i -> "cvta" + OperandText.window(i.space()) + ".u64" + FormText.of(i);
            case Convert.FromGeneric i -> "cvta.to" + OperandText.window(i.space()) + ".u64" + FormText.of(i);
            case Convert.GenericAddressOf i ->
                line(
                        "cvta" + OperandText.window(i.space()) + ".u64",
                        i.d(),
                        OperandText.within(i.symbol(), i.offset()));
            case Convert.IsInSpace i -> "isspacep" + OperandText.window(i.space()) + FormText.of(i);
            case FunctionCall i -> CallText.call(i);
            case IndirectCall i -> CallText.indirectCall(i);
            case Tooling.Pragma i -> ".pragma \"" + i.text() + "\"";
            case Memory.Load i -> MemoryText.load(i);
            case Memory.Store i -> MemoryText.store(i);
            case AsyncCopy.Copy i -> MemoryText.copy(i);
            case TensorMapUpdate.Replace i -> MemoryText.replace(i);
            // Aligned barriers under their old name, which means the same: ptxas makes better code of it.
            case Barrier.CtaBarrier i ->
                (i.aligned() ? "bar." : "barrier.cta.") + i.action().ptx() + FormText.of(i);
            case WarpExchange.BarrierCount i -> reduction(i.aligned()) + "popc.u32" + FormText.of(i);
            case WarpExchange.BarrierVote i ->
                reduction(i.aligned()) + i.operation().ptx() + ".pred" + FormText.of(i);
            case Barrier.RestrictedFence i ->
                "fence" + (i.async() ? ".proxy.async::generic" : "") + i.sem().ptx() + ".sync_restrict:"
                        + i.space().ptx().replace('.', ':') + i.scope().ptx();
            case Mbarrier.Wait i ->
                line(
                        "mbarrier." + i.mode().ptx() + (i.parity().isPresent() ? ".parity" : "")
                                + i.ordering().ptx() + i.barrier().space().ptx() + ".b64",
                        i.d(),
                        i.barrier(),
                        switch (i.phase()) {
                            case Mbarrier.Phase.Parity p -> p.parity();
                            case Mbarrier.Phase.State p -> p.state();
                        },
                        i.hint());
            case Mbarrier.MapToRank i ->
                line(i.generic() ? "mapa.u64" : "mapa.shared::cluster.u32", i.d(), i.address(), i.rank());
            case Mbarrier.RankOf i ->
                line(i.generic() ? "getctarank.u64" : "getctarank.shared::cluster.u32", i.d(), i.address());
            case Wgmma.MmaAsync i -> MatrixText.wgmma(i);
            case Matrix.LoadBytes i -> MatrixText.loadBytes(i);
            case WarpMatrix.MultiplyFragments i -> MatrixText.fragments(i);
            case Tcgen05.Multiply i -> MatrixText.tcgen05(i);
            case Tcgen05.Load i -> MatrixText.load(i);
            case Tcgen05.Store i -> MatrixText.store(i);
            case ClusterLaunchControl.FirstCtaVector i ->
                "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {" + operand(i.x()) + ", "
                        + operand(i.y()) + ", " + operand(i.z()) + ", _}, " + operand(i.answer());
            case Arithmetic _,
                    CarryArithmetic _,
                    BitField _,
                    FloatMath _,
                    Compare _,
                    Convert _,
                    Control _,
                    Tooling _,
                    Memory _,
                    CachePolicy _,
                    Barrier _,
                    Mbarrier _,
                    WarpExchange _,
                    AsyncCopy _,
                    BulkCopy _,
                    TensorMapUpdate _,
                    Wgmma _,
                    Matrix _,
                    WarpMatrix _,
                    Tcgen05 _,
                    ClusterLaunchControl _ -> FormText.of(instruction);
        };
    }

    private static String reduction(boolean aligned) {
        return aligned ? "bar.red." : "barrier.cta.red.";
    }
}
