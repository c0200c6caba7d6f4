package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.address;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Ordinary;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One instruction as text, without the semicolon. */
final class InstructionText {
    private InstructionText() {}

    static String of(Instruction instruction) {
        return switch (instruction) {
            case Arithmetic i -> arithmetic(i);
            case Compare i -> compare(i);
            case Convert i -> convert(i);
            case Move i -> move(i);
            case Memory i -> memory(i);
            case Control i -> control(i);
            case Barrier i -> barrier(i);
            case Mbarrier i -> mbarrier(i);
            case BulkCopy i -> bulkCopy(i);
            case Wgmma i -> wgmma(i);
            case Matrix i -> matrix(i);
            case Tcgen05 i -> BlackwellText.tcgen05(i);
            case ClusterLaunchControl i -> BlackwellText.clusterLaunch(i);
            case Ordinary i -> OrdinaryText.of(i);
        };
    }

    private static String arithmetic(Arithmetic instruction) {
        return switch (instruction) {
            case Arithmetic.Binary i ->
                line(i.operation().ptx() + "." + i.type().ptx(), operand(i.d()), operand(i.a()), operand(i.b()));
            case Arithmetic.MultiplyWide i ->
                line("mul.wide." + i.type().ptx(), operand(i.d()), operand(i.a()), operand(i.b()));
            case Arithmetic.MultiplyAdd i ->
                line(
                        "mad." + i.half().ptx() + "." + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()));
            case Arithmetic.Unary i -> line(i.operation().ptx() + "." + i.type().ptx(), operand(i.d()), operand(i.a()));
            case Arithmetic.FloatBinary i ->
                line(
                        i.operation().ptx() + i.rounding().ptx() + "."
                                + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()));
            case Arithmetic.Fma i ->
                line(
                        "fma" + i.rounding().ptx() + "." + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()));
            case Arithmetic.FloatUnary i ->
                line(i.operation().ptx() + "." + i.type().ptx(), operand(i.d()), operand(i.a()));
            case Arithmetic.Lop3 i ->
                line(
                        "lop3.b32",
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()),
                        "0x" + Integer.toHexString(i.table()));
            case Arithmetic.Permute i ->
                line("prmt.b32", operand(i.d()), operand(i.a()), operand(i.b()), operand(i.selector()));
            case Arithmetic.BitFieldExtract i ->
                line(
                        "bfe." + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.position()),
                        operand(i.length()));
        };
    }

    private static String compare(Compare instruction) {
        return switch (instruction) {
            case Compare.SetPredicate i -> {
                String combine = i.combine().map(c -> "." + c.operation().ptx()).orElse("");
                String third = i.combine()
                        .map(c ->
                                ", " + (c.negated() ? "!" : "") + c.predicate().name())
                        .orElse("");
                yield line(
                                "setp." + i.relation().ptx() + combine + "."
                                        + i.type().ptx(),
                                operand(i.d()),
                                operand(i.a()),
                                operand(i.b()))
                        + third;
            }
            case Compare.Select i ->
                line("selp." + i.type().ptx(), operand(i.d()), operand(i.a()), operand(i.b()), operand(i.p()));
            case Compare.PredicateBinary i ->
                line(i.operation().ptx() + ".pred", operand(i.d()), operand(i.a()), operand(i.b()));
            case Compare.PredicateNot i -> line("not.pred", operand(i.d()), operand(i.a()));
        };
    }

    private static String convert(Convert instruction) {
        return switch (instruction) {
            case Convert.Cvt i ->
                line(
                        "cvt" + i.rounding().ptx() + "." + i.to().ptx() + "."
                                + i.from().ptx(),
                        operand(i.d()),
                        operand(i.a()));
            case Convert.Pair i ->
                line(
                        "cvt" + i.rounding().ptx() + "." + i.to().ptx() + ".f32",
                        operand(i.d()),
                        operand(i.high()),
                        operand(i.low()));
            case Convert.ToGeneric i -> line("cvta" + window(i.space()) + ".u64", operand(i.d()), operand(i.a()));
            case Convert.FromGeneric i -> line("cvta.to" + window(i.space()) + ".u64", operand(i.d()), operand(i.a()));
        };
    }

    private static String move(Move instruction) {
        return switch (instruction) {
            case Move.Copy i -> line("mov." + i.type().ptx(), operand(i.d()), operand(i.a()));
            case Move.ReadSpecial i ->
                line(
                        "mov." + i.special().type().ptx(),
                        operand(i.d()),
                        i.special().ptx());
            case Move.AddressOf i -> line("mov." + i.type().ptx(), operand(i.d()), i.symbol());
            case Move.Pack i -> line("mov." + i.type().ptx(), operand(i.d()), vector(i.parts()));
            case Move.Unpack i ->
                line(
                        "mov." + i.type().ptx(),
                        i.parts().stream()
                                .map(part -> part.map(OperandText::operand).orElse("_"))
                                .collect(Collectors.joining(", ", "{", "}")),
                        operand(i.a()));
        };
    }

    static String memory(Memory instruction) {
        return switch (instruction) {
            case Memory.Load i ->
                line(
                        "ld" + i.ordering().ptx() + i.address().space().ptx()
                                + i.cache().ptx() + size(i.d().size()) + "."
                                + i.type().ptx(),
                        scalarOrVector(i.d()),
                        address(i.address()));
            case Memory.Store i ->
                line(
                        "st" + i.ordering().ptx() + i.address().space().ptx()
                                + i.cache().ptx() + size(i.values().size()) + "."
                                + i.type().ptx(),
                        address(i.address()),
                        scalarOrVector(i.values()));
            case Memory.Atomic i -> {
                String third = i.c().map(c -> ", " + operand(c)).orElse("");
                yield line(
                                "atom" + i.ordering().ptx()
                                        + i.address().space().ptx() + "."
                                        + i.operation().ptx() + "." + i.type().ptx(),
                                operand(i.d()),
                                address(i.address()),
                                operand(i.b()))
                        + third;
            }
            case Memory.Reduce i ->
                line(
                        "red" + i.ordering().ptx() + i.address().space().ptx() + "."
                                + i.operation().ptx() + "." + i.type().ptx(),
                        address(i.address()),
                        operand(i.b()));
            case Memory.StoreAsync i ->
                line(
                        "st.async.shared::cluster.mbarrier::complete_tx::bytes"
                                + size(i.values().size()) + "." + i.type().ptx(),
                        address(i.address()),
                        scalarOrVector(i.values()),
                        address(i.barrier()));
            case Memory.PrefetchTensorMap i -> line("prefetch.tensormap", address(i.map()));
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
                yield "barrier.cta." + i.action().ptx() + (i.aligned() ? ".aligned " : " ") + operand(i.id()) + threads;
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
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()),
                        mask(i.mask()));
            }
            case Barrier.Vote i ->
                line("vote.sync." + i.mode().ptx() + ".pred", operand(i.d()), operand(i.p()), mask(i.mask()));
            case Barrier.Ballot i -> line("vote.sync.ballot.b32", operand(i.d()), operand(i.p()), mask(i.mask()));
            case Barrier.SetMaxRegisters i ->
                "setmaxnreg." + (i.increase() ? "inc" : "dec") + ".sync.aligned.u32 " + i.count();
            case Barrier.GridDependency i -> "griddepcontrol." + i.action().ptx();
            case Barrier.Nanosleep i -> line("nanosleep.u32", operand(i.nanoseconds()));
        };
    }

    private static String mbarrier(Mbarrier instruction) {
        return switch (instruction) {
            case Mbarrier.Init i -> line("mbarrier.init.shared::cta.b64", address(i.barrier()), operand(i.count()));
            case Mbarrier.Invalidate i -> line("mbarrier.inval.shared::cta.b64", address(i.barrier()));
            case Mbarrier.Arrive i -> {
                String count = i.count().map(c -> ", " + operand(c)).orElse("");
                yield line("mbarrier.arrive" + suffix(i.ordering().ptx(), i.barrier()), "_", address(i.barrier()))
                        + count;
            }
            case Mbarrier.ArriveExpectTx i ->
                line(
                        "mbarrier.arrive.expect_tx" + suffix(i.ordering().ptx(), i.barrier()),
                        "_",
                        address(i.barrier()),
                        operand(i.bytes()));
            case Mbarrier.ExpectTx i ->
                line(
                        "mbarrier.expect_tx" + suffix(i.ordering().ptx(), i.barrier()),
                        address(i.barrier()),
                        operand(i.bytes()));
            case Mbarrier.CompleteTx i ->
                line(
                        "mbarrier.complete_tx" + suffix(i.ordering().ptx(), i.barrier()),
                        address(i.barrier()),
                        operand(i.bytes()));
            case Mbarrier.Wait i -> {
                String hint = i.hint().map(h -> ", " + operand(h)).orElse("");
                yield line(
                                "mbarrier." + i.mode().ptx() + ".parity"
                                        + suffix(i.ordering().ptx(), i.barrier()),
                                operand(i.d()),
                                address(i.barrier()),
                                operand(i.parity()))
                        + hint;
            }
            case Mbarrier.MapToRank i ->
                line("mapa.shared::cluster.u32", operand(i.d()), operand(i.address()), operand(i.rank()));
            case Mbarrier.FenceInit _ -> "fence.mbarrier_init.release.cluster";
        };
    }

    private static String bulkCopy(BulkCopy instruction) {
        return switch (instruction) {
            case BulkCopy.TensorLoad i -> {
                String mask = i.multicast().map(m -> ", " + operand(m)).orElse("");
                yield "cp.async.bulk.tensor." + i.coordinates().size()
                        + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                        + (i.multicast().isPresent() ? ".multicast::cluster" : "")
                        + hint(i.policy()) + " " + address(i.destination()) + ", "
                        + box(address(i.map()), i.coordinates()) + ", " + address(i.barrier()) + mask
                        + policy(i.policy());
            }
            case BulkCopy.TensorStore i ->
                "cp.async.bulk.tensor." + i.coordinates().size() + "d.global.shared::cta.tile.bulk_group"
                        + hint(i.policy()) + " " + box(address(i.map()), i.coordinates()) + ", " + address(i.source())
                        + policy(i.policy());
            case BulkCopy.TensorReduce i ->
                "cp.reduce.async.bulk.tensor." + i.coordinates().size() + "d.global.shared::cta."
                        + i.operation().ptx() + ".tile.bulk_group"
                        + hint(i.policy()) + " " + box(address(i.map()), i.coordinates()) + ", " + address(i.source())
                        + policy(i.policy());
            case BulkCopy.TensorPrefetch i ->
                "cp.async.bulk.prefetch.tensor." + i.coordinates().size() + "d.L2.global.tile" + hint(i.policy()) + " "
                        + box(address(i.map()), i.coordinates()) + policy(i.policy());
            case BulkCopy.Load i ->
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" + hint(i.policy()) + " "
                        + address(i.destination()) + ", " + address(i.source()) + ", " + operand(i.bytes()) + ", "
                        + address(i.barrier()) + policy(i.policy());
            case BulkCopy.Store i ->
                line(
                        "cp.async.bulk.global.shared::cta.bulk_group",
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()));
            case BulkCopy.CommitGroup _ -> "cp.async.bulk.commit_group";
            case BulkCopy.WaitGroup i -> "cp.async.bulk.wait_group" + (i.read() ? ".read " : " ") + i.pending();
            case BulkCopy.CreatePolicy i ->
                line(
                        "createpolicy.fractional.L2::" + i.priority().ptx() + ".b64",
                        operand(i.d()),
                        OperandText.f32(i.fraction()));
        };
    }

    private static String wgmma(Wgmma instruction) {
        return switch (instruction) {
            case Wgmma.Fence _ -> "wgmma.fence.sync.aligned";
            case Wgmma.CommitGroup _ -> "wgmma.commit_group.sync.aligned";
            case Wgmma.WaitGroup i -> "wgmma.wait_group.sync.aligned " + i.pending();
            case Wgmma.MmaAsync i -> {
                String a = switch (i.a()) {
                    case Wgmma.MatrixA.Descriptor s -> operand(s.descriptor());
                    case Wgmma.MatrixA.Fragment f -> vector(f.registers());
                };
                String transposeA = switch (i.a()) {
                    case Wgmma.MatrixA.Descriptor s -> ", " + bit(s.transposed());
                    case Wgmma.MatrixA.Fragment _ -> "";
                };
                String scale = switch (i.scaleD()) {
                    case Wgmma.ScaleD.Fixed fixed -> bit(fixed.accumulate());
                    case Wgmma.ScaleD.When when -> operand(when.accumulate());
                };
                String type = "." + i.input().ptx();
                yield line(
                                "wgmma.mma_async.sync.aligned.m64n" + i.n() + "k16.f32" + type + type,
                                vector(i.d()),
                                a,
                                operand(i.b()),
                                scale,
                                i.negateA() ? "-1" : "1",
                                i.negateB() ? "-1" : "1")
                        + transposeA + ", " + bit(i.transposeB());
            }
        };
    }

    private static String matrix(Matrix instruction) {
        return switch (instruction) {
            case Matrix.Store i ->
                line(
                        "stmatrix.sync.aligned.m8n8.x" + i.values().size() + (i.transposed() ? ".trans" : "")
                                + ".shared.b16",
                        address(i.address()),
                        vector(i.values()));
            case Matrix.Load i ->
                line(
                        "ldmatrix.sync.aligned.m8n8.x" + i.d().size() + (i.transposed() ? ".trans" : "")
                                + ".shared.b16",
                        vector(i.d()),
                        address(i.address()));
        };
    }

    static String line(String mnemonic, String... operands) {
        return mnemonic + " " + String.join(", ", operands);
    }

    static String size(int elements) {
        return elements == 1 ? "" : ".v" + elements;
    }

    static String scalarOrVector(List<? extends Operand<?>> operands) {
        return operands.size() == 1 ? operand(operands.getFirst()) : vector(operands);
    }

    static String suffix(String ordering, Address barrier) {
        return ordering + barrier.space().ptx() + ".b64";
    }

    private static String hint(Optional<Operand<B64>> policy) {
        return policy.isPresent() ? ".L2::cache_hint" : "";
    }

    static String policy(Optional<Operand<B64>> policy) {
        return policy.map(p -> ", " + operand(p)).orElse("");
    }

    static String box(String map, List<Operand<B32>> coordinates) {
        return "[" + map.substring(1, map.length() - 1) + ", " + vector(coordinates) + "]";
    }

    static String mask(Operand<B32> mask) {
        return OperandText.hexadecimal(mask);
    }

    static String bit(boolean value) {
        return value ? "1" : "0";
    }

    /** cvta knows the spaces by their old names. */
    static String window(StateSpace space) {
        return space == StateSpace.SHARED ? ".shared" : space.ptx();
    }
}
