package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.mask;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.Combine;
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
import dev.tilewright.ptx.instruction.Synchronisation;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Reg;
import java.util.Optional;
import java.util.stream.Collectors;

/** One instruction as text, without the semicolon. */
final class InstructionText {
    private InstructionText() {}

    static String of(Instruction instruction) {
        return switch (instruction) {
            case Arithmetic i -> NumberText.arithmetic(i);
            case BitField i -> FormText.of(i);
            case CarryArithmetic i -> NumberText.carry(i);
            case Compare i -> compare(i);
            case Convert i -> NumberText.convert(i);
            case FloatMath i -> NumberText.floats(i);
            case Move i -> move(i);
            case Memory i -> MemoryText.of(i);
            case Control i -> control(i);
            case Barrier i -> barrier(i);
            case Mbarrier i -> mbarrier(i);
            case BulkCopy i -> CopyText.bulkCopy(i);
            case Wgmma i -> MatrixText.wgmma(i);
            case Matrix i -> MatrixText.matrix(i);
            case Tcgen05 i -> BlackwellText.tcgen05(i);
            case ClusterLaunchControl i -> BlackwellText.clusterLaunch(i);
            case AsyncCopy i -> CopyText.asyncCopy(i);
            case FunctionCall i -> ExchangeText.call(i);
            case WarpExchange i -> ExchangeText.exchange(i);
            case Synchronisation i -> SynchronisationText.of(i);
            case TensorMapUpdate i -> CopyText.tensorMap(i);
            case CachePolicy i -> CopyText.cachePolicy(i);
            case WarpMatrix i -> MatrixText.warp(i);
            case IndirectCall i -> ExchangeText.indirectCall(i);
            case Tooling i -> tooling(i);
        };
    }

    private static String compare(Compare instruction) {
        return switch (instruction) {
            case Compare.SetPredicate i ->
                line(
                                "setp." + i.relation().ptx() + operation(i.combine()) + (i.flushToZero() ? ".ftz" : "")
                                        + "." + i.type().ptx(),
                                operand(i.d())
                                        + i.second().map(q -> "|" + q.name()).orElse(""),
                                i.a(),
                                i.b())
                        + third(i.combine());
            case Compare.SetValue i ->
                line(
                                "set." + i.relation().ptx() + operation(i.combine()) + (i.flushToZero() ? ".ftz" : "")
                                        + "." + i.to().ptx() + "." + i.type().ptx(),
                                i.d(),
                                i.a(),
                                i.b())
                        + third(i.combine());
            case Compare.SelectBySign _, Compare.Select _, Compare.PredicateBinary _, Compare.PredicateNot _ ->
                FormText.of(instruction);
        };
    }

    private static String operation(Optional<Combine> combine) {
        return combine.map(c -> "." + c.operation().ptx()).orElse("");
    }

    private static String third(Optional<Combine> combine) {
        return combine.map(c -> ", " + not(c.negated()) + c.predicate().name()).orElse("");
    }

    private static String move(Move instruction) {
        return switch (instruction) {
            case Move.Copy i -> line("mov." + i.type().ptx(), i.d(), i.a());
            case Move.ReadSpecial i ->
                line("mov." + i.special().type().ptx(), i.d(), i.special().ptx());
            case Move.AddressOf i -> line("mov." + i.type().ptx(), i.d(), OperandText.within(i.symbol(), i.offset()));
            case Move.ConstantPredicate i -> line("mov.pred", i.d(), i.value() ? "1" : "0");
            case Move.Pack i -> line("mov." + i.type().ptx(), i.d(), vector(i.parts()));
            case Move.Unpack i ->
                line(
                        "mov." + i.type().ptx(),
                        i.parts().stream()
                                .map(part -> part.map(OperandText::operand).orElse("_"))
                                .collect(Collectors.joining(", ", "{", "}")),
                        i.a());
        };
    }

    private static String tooling(Tooling instruction) {
        return switch (instruction) {
            case Tooling.Pragma i -> ".pragma \"" + i.text() + "\"";
            case Tooling.Breakpoint _, Tooling.PerformanceEvent _ -> FormText.of(instruction);
        };
    }

    private static String control(Control instruction) {
        return switch (instruction) {
            case Control.Branch i ->
                line(i.uniform() ? "bra.uni" : "bra", i.label().name());
            case Control.Return _ -> "ret";
            case Control.Exit _ -> "exit";
            case Control.Trap _ -> "trap";
        };
    }

    private static String barrier(Barrier instruction) {
        return switch (instruction) {
            case Barrier.CtaBarrier i -> {
                String threads = i.threads().map(t -> ", " + operand(t)).orElse("");
                // Aligned ones under their old name, which means the same: ptxas makes better code of it.
                yield (i.aligned() ? "bar." : "barrier.cta.") + i.action().ptx() + " " + operand(i.id()) + threads;
            }
            case Barrier.WarpBarrier i -> line("bar.warp.sync", mask(i.mask()));
            case Barrier.ClusterBarrier i ->
                "barrier.cluster." + i.action().ptx() + i.sem().ptx() + (i.aligned() ? ".aligned" : "");
            case Barrier.ThreadFence i -> "fence" + i.sem().ptx() + i.scope().ptx();
            case Barrier.ProxyFence i -> "fence.proxy.async" + i.space().ptx();
            case Barrier.Elect i ->
                "elect.sync " + i.lane().map(OperandText::operand).orElse("_") + "|" + operand(i.d()) + ", "
                        + mask(i.mask());
            case Barrier.Shuffle i -> {
                String valid = i.valid().map(p -> "|" + p.name()).orElse("");
                yield line(
                        "shfl.sync." + i.mode().ptx() + ".b32",
                        operand(i.d()) + valid,
                        i.a(),
                        i.b(),
                        i.c(),
                        mask(i.mask()));
            }
            case Barrier.Vote i ->
                line("vote.sync." + i.mode().ptx() + ".pred", i.d(), not(i.negated()) + operand(i.p()), mask(i.mask()));
            case Barrier.Ballot i ->
                line("vote.sync.ballot.b32", i.d(), not(i.negated()) + operand(i.p()), mask(i.mask()));
            case Barrier.SetMaxRegisters _, Barrier.GridDependency _, Barrier.Nanosleep _ -> FormText.of(instruction);
        };
    }

    private static String mbarrier(Mbarrier instruction) {
        return switch (instruction) {
            case Mbarrier.Init i -> line("mbarrier.init.shared::cta.b64", i.barrier(), i.count());
            case Mbarrier.Invalidate i -> line("mbarrier.inval.shared::cta.b64", i.barrier());
            case Mbarrier.Arrive i ->
                line(
                        "mbarrier." + (i.drop() ? "arrive_drop" : "arrive")
                                + (i.noComplete() ? ".noComplete" : "")
                                + suffix(i.ordering().ptx(), i.barrier()),
                        state(i.state()),
                        i.barrier(),
                        i.count());
            case Mbarrier.ArriveExpectTx i ->
                line(
                        "mbarrier." + (i.drop() ? "arrive_drop" : "arrive") + ".expect_tx"
                                + suffix(i.ordering().ptx(), i.barrier()),
                        state(i.state()),
                        i.barrier(),
                        i.bytes());
            case Mbarrier.ExpectTx i ->
                line("mbarrier.expect_tx" + suffix(i.ordering().ptx(), i.barrier()), i.barrier(), i.bytes());
            case Mbarrier.CompleteTx i ->
                line("mbarrier.complete_tx" + suffix(i.ordering().ptx(), i.barrier()), i.barrier(), i.bytes());
            case Mbarrier.Wait i ->
                line(
                        "mbarrier." + i.mode().ptx()
                                + (i.parity().isPresent() ? ".parity" : "")
                                + suffix(i.ordering().ptx(), i.barrier()),
                        i.d(),
                        i.barrier(),
                        switch (i.phase()) {
                            case Mbarrier.Phase.Parity p -> operand(p.parity());
                            case Mbarrier.Phase.State p -> operand(p.state());
                        },
                        i.hint());
            case Mbarrier.PendingCount i -> FormText.of(i);
            case Mbarrier.MapToRank i ->
                line(i.generic() ? "mapa.u64" : "mapa.shared::cluster.u32", i.d(), i.address(), i.rank());
            case Mbarrier.RankOf i ->
                line(i.generic() ? "getctarank.u64" : "getctarank.shared::cluster.u32", i.d(), i.address());
            case Mbarrier.FenceInit _ -> "fence.mbarrier_init.release.cluster";
        };
    }

    private static String not(boolean negated) {
        return negated ? "!" : "";
    }

    private static String state(Optional<Reg<?>> state) {
        return state.map(OperandText::operand).orElse("_");
    }

    private static String suffix(String ordering, Address barrier) {
        return ordering + barrier.space().ptx() + ".b64";
    }
}
