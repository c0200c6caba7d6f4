package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.InstructionText.line;
import static dev.tilewright.ptx.text.InstructionText.mask;
import static dev.tilewright.ptx.text.InstructionText.scalarOrVector;
import static dev.tilewright.ptx.text.InstructionText.size;
import static dev.tilewright.ptx.text.OperandText.address;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.BulkTransfer;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.MatrixMultiply;
import dev.tilewright.ptx.instruction.StateBarrier;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.stream.Collectors;

/** The families of {@link dev.tilewright.ptx.instruction.Ordinary} that move data between threads and memories. */
final class ExchangeText {
    private ExchangeText() {}

    static String asyncCopy(AsyncCopy instruction) {
        return switch (instruction) {
            case AsyncCopy.Copy i ->
                line(
                                "cp.async." + (i.aroundL1() ? "cg" : "ca")
                                        + i.destination().space().ptx() + ".global"
                                        + (i.policy().isPresent() ? ".L2::cache_hint" : "")
                                        + i.hints().stream().map(h -> "." + h).collect(Collectors.joining()),
                                address(i.destination()),
                                address(i.source()),
                                Integer.toString(i.bytes()))
                        + optional(i.sourceBytes())
                        + InstructionText.policy(i.policy());
            case AsyncCopy.CommitGroup _ -> "cp.async.commit_group";
            case AsyncCopy.WaitGroup i -> "cp.async.wait_group " + i.pending();
            case AsyncCopy.WaitAll _ -> "cp.async.wait_all";
            case AsyncCopy.ArriveWhenDone i ->
                line(
                        "cp.async.mbarrier.arrive" + (i.counted() ? ".noinc" : "")
                                + i.barrier().space().ptx() + ".b64",
                        address(i.barrier()));
        };
    }

    static String call(FunctionCall instruction) {
        return switch (instruction) {
            case FunctionCall.Declare i -> VariableText.place(i);
            case FunctionCall.StoreParam i ->
                line(
                        "st.param" + size(i.values().size()) + "." + i.type().ptx(),
                        place(i.name(), i.offset()),
                        scalarOrVector(i.values()));
            case FunctionCall.LoadParam i ->
                line(
                        "ld.param" + size(i.d().size()) + "." + i.type().ptx(),
                        scalarOrVector(i.d()),
                        place(i.name(), i.offset()));
            case FunctionCall.Call i ->
                "call" + (i.uniform() ? ".uni " : " ")
                        + i.result().map(r -> "(" + r + "), ").orElse("") + i.function()
                        + (i.arguments().isEmpty() ? "" : ", (" + String.join(", ", i.arguments()) + ")");
            case FunctionCall.BranchTable i ->
                i.name().name() + ": .branchtargets "
                        + i.targets().stream().map(Label::name).collect(Collectors.joining(", "));
            case FunctionCall.BranchIndexed i ->
                line(
                        "brx.idx" + (i.uniform() ? ".uni" : ""),
                        operand(i.index()),
                        i.table().name());
        };
    }

    static String exchange(WarpExchange instruction) {
        return switch (instruction) {
            case WarpExchange.MatchAny i ->
                line("match.any.sync." + i.type().ptx(), operand(i.d()), operand(i.a()), mask(i.mask()));
            case WarpExchange.MatchAll i ->
                line(
                        "match.all.sync." + i.type().ptx(),
                        operand(i.d()) + i.all().map(p -> "|" + p.name()).orElse(""),
                        operand(i.a()),
                        mask(i.mask()));
            case WarpExchange.Reduce i ->
                line(
                        "redux.sync." + i.operation().ptx() + "." + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        mask(i.mask()));
            case WarpExchange.ActiveMask i -> line("activemask.b32", operand(i.d()));
            case WarpExchange.VoteNot i ->
                line("vote.sync." + i.mode().ptx() + ".pred", operand(i.d()), "!" + operand(i.p()), mask(i.mask()));
            case WarpExchange.BallotNot i ->
                line("vote.sync.ballot.b32", operand(i.d()), "!" + operand(i.p()), mask(i.mask()));
            case WarpExchange.BarrierCount i ->
                line("barrier.cta.red.popc" + aligned(i.aligned()) + ".u32", operand(i.d()), operand(i.id()))
                        + optional(i.threads())
                        + predicate(i.p(), i.negated());
            case WarpExchange.BarrierVote i ->
                line(
                                "barrier.cta.red." + i.operation().ptx() + aligned(i.aligned()) + ".pred",
                                operand(i.d()),
                                operand(i.id()))
                        + optional(i.threads())
                        + predicate(i.p(), i.negated());
            case WarpExchange.OneWayFence i ->
                "fence" + i.sem().ptx() + i.scope().ptx();
            case WarpExchange.AliasFence _ -> "fence.proxy.alias";
        };
    }

    static String barrier(StateBarrier instruction) {
        return switch (instruction) {
            case StateBarrier.Arrive i ->
                line(
                                "mbarrier." + (i.drop() ? "arrive_drop" : "arrive")
                                        + (i.noComplete() ? ".noComplete" : "")
                                        + InstructionText.suffix(i.ordering().ptx(), i.barrier()),
                                state(i.state()),
                                address(i.barrier()))
                        + optional(i.count());
            case StateBarrier.ArriveExpectTx i ->
                line(
                        "mbarrier." + (i.drop() ? "arrive_drop" : "arrive") + ".expect_tx"
                                + InstructionText.suffix(i.ordering().ptx(), i.barrier()),
                        state(i.state()),
                        address(i.barrier()),
                        operand(i.bytes()));
            case StateBarrier.Wait i ->
                line(
                                "mbarrier." + i.mode().ptx()
                                        + InstructionText.suffix(i.ordering().ptx(), i.barrier()),
                                operand(i.d()),
                                address(i.barrier()),
                                operand(i.state()))
                        + optional(i.hint());
            case StateBarrier.PendingCount i -> line("mbarrier.pending_count.b64", operand(i.d()), operand(i.state()));
            case StateBarrier.MapGenericToRank i ->
                line("mapa.u64", operand(i.d()), operand(i.address()), operand(i.rank()));
            case StateBarrier.RankOf i ->
                line(
                        i.generic() ? "getctarank.u64" : "getctarank.shared::cluster.u32",
                        operand(i.d()),
                        operand(i.address()));
        };
    }

    static String transfer(BulkTransfer instruction) {
        return switch (instruction) {
            case BulkTransfer.SharedToCluster i ->
                line(
                        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()),
                        address(i.barrier()));
            case BulkTransfer.MulticastLoad i ->
                line(
                                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                                        + hint(i.policy().isPresent()),
                                address(i.destination()),
                                address(i.source()),
                                operand(i.bytes()),
                                address(i.barrier()),
                                operand(i.mask()))
                        + InstructionText.policy(i.policy());
            case BulkTransfer.HintedStore i ->
                line(
                        "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint",
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()),
                        operand(i.policy()));
            case BulkTransfer.Reduce i ->
                line(
                                "cp.reduce.async.bulk.global.shared::cta.bulk_group"
                                        + hint(i.policy().isPresent()) + "."
                                        + i.operation().ptx() + (i.noFlush() ? ".noftz." : ".")
                                        + i.type().ptx(),
                                address(i.destination()),
                                address(i.source()),
                                operand(i.bytes()))
                        + InstructionText.policy(i.policy());
            case BulkTransfer.Prefetch i ->
                line(
                                "cp.async.bulk.prefetch.L2.global"
                                        + hint(i.policy().isPresent()),
                                address(i.source()),
                                operand(i.bytes()))
                        + InstructionText.policy(i.policy());
        };
    }

    static String multiply(MatrixMultiply instruction) {
        return switch (instruction) {
            case MatrixMultiply.Warpgroup i -> warpgroup(i);
            case MatrixMultiply.Warp i ->
                line(
                        "mma.sync.aligned.m16n8k" + i.k() + ".row.col" + (i.saturate() ? ".satfinite." : ".")
                                + i.typeD().ptx() + "." + i.typeA().ptx() + "."
                                + i.typeB().ptx() + "." + i.typeC().ptx(),
                        vector(i.d()),
                        vector(i.a()),
                        vector(i.b()),
                        vector(i.c()));
        };
    }

    /** Integers have no signs, and only elements of 16 bits have transpositions. */
    private static String warpgroup(MatrixMultiply.Warpgroup i) {
        String a = switch (i.a()) {
            case MatrixA.Descriptor s -> operand(s.descriptor());
            case MatrixA.Fragment f -> vector(f.registers());
        };
        String scale = switch (i.scaleD()) {
            case ScaleD.Fixed fixed -> InstructionText.bit(fixed.accumulate());
            case ScaleD.When when -> operand(when.accumulate());
        };
        StringBuilder text = new StringBuilder(line(
                "wgmma.mma_async.sync.aligned.m64n" + i.n() + "k" + i.k() + (i.saturate() ? ".satfinite." : ".")
                        + i.accumulator().ptx() + "." + i.typeA().ptx() + "."
                        + i.typeB().ptx(),
                vector(i.d()),
                a,
                operand(i.b()),
                scale));
        if (i.accumulator() != MatrixMultiply.Element.S32) {
            text.append(i.negateA() ? ", -1" : ", 1").append(i.negateB() ? ", -1" : ", 1");
        }
        if (i.typeA().bits() == 16) {
            if (i.a() instanceof MatrixA.Descriptor s) {
                text.append(", ").append(InstructionText.bit(s.transposed()));
            }
            text.append(", ").append(InstructionText.bit(i.transposeB()));
        }
        return text.toString();
    }

    private static String optional(Optional<Operand<B32>> operand) {
        return operand.map(o -> ", " + operand(o)).orElse("");
    }

    private static String state(Optional<Reg<?>> state) {
        return state.map(OperandText::operand).orElse("_");
    }

    private static String predicate(Reg<?> p, boolean negated) {
        return ", " + (negated ? "!" : "") + p.name();
    }

    private static String aligned(boolean aligned) {
        return aligned ? ".aligned" : "";
    }

    private static String hint(boolean present) {
        return present ? ".L2::cache_hint" : "";
    }

    private static String place(String name, int offset) {
        return "[" + name + (offset == 0 ? "]" : "+" + offset + "]");
    }
}
