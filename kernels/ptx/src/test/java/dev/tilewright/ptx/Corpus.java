package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Arithmetic.Binary;
import dev.tilewright.ptx.instruction.Arithmetic.BitFieldExtract;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerUnaryOperation;
import dev.tilewright.ptx.instruction.Arithmetic.Lop3;
import dev.tilewright.ptx.instruction.Arithmetic.Unary;
import dev.tilewright.ptx.instruction.Barrier.Ballot;
import dev.tilewright.ptx.instruction.Barrier.CtaAction;
import dev.tilewright.ptx.instruction.Barrier.CtaBarrier;
import dev.tilewright.ptx.instruction.Barrier.Elect;
import dev.tilewright.ptx.instruction.Barrier.ProxyFence;
import dev.tilewright.ptx.instruction.Barrier.ProxyFenceSpace;
import dev.tilewright.ptx.instruction.Barrier.ThreadFence;
import dev.tilewright.ptx.instruction.Barrier.Vote;
import dev.tilewright.ptx.instruction.Barrier.VoteMode;
import dev.tilewright.ptx.instruction.BitField.Permute;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Compare.SetPredicate;
import dev.tilewright.ptx.instruction.Control.Branch;
import dev.tilewright.ptx.instruction.Control.Trap;
import dev.tilewright.ptx.instruction.Convert.FromGeneric;
import dev.tilewright.ptx.instruction.Convert.ToGeneric;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FloatMath.UnaryOperation;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier.ArriveExpectTx;
import dev.tilewright.ptx.instruction.Mbarrier.CompleteTx;
import dev.tilewright.ptx.instruction.Mbarrier.ExpectTx;
import dev.tilewright.ptx.instruction.Mbarrier.Invalidate;
import dev.tilewright.ptx.instruction.Mbarrier.Wait;
import dev.tilewright.ptx.instruction.Mbarrier.WaitMode;
import dev.tilewright.ptx.instruction.Memory.Atomic;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.instruction.Memory.StoreAsync;
import dev.tilewright.ptx.instruction.Move.Unpack;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.MmaAsync;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One kernel with every instruction record, in every spelling that matters. It is assembled, never run. */
final class Corpus {
    private Corpus() {}

    /** What the operands of the corpus are. */
    private record Operands(
            Reg<B32> word,
            Reg<B64> wide,
            Reg<F32> single,
            Reg<F64> twice,
            Reg<B16> half,
            Reg<Pred> p,
            SharedAddress shared,
            SharedAddress barrier,
            ClusterAddress remote,
            GlobalAddress global,
            GenericAddress map) {}

    /** All that assembles at ISA 8.0. */
    static PtxModule oldest() {
        return module((b, o) -> {
            integers(b, o);
            floats(b, o);
            predicatesAndMoves(b, o);
            conversions(b, o);
            memory(b, o);
            barriers(b, o);
            mbarriers(b, o);
            bulkCopies(b, o);
            matrices(b, o);
            control(b, o);
        });
    }

    /** What needs ISA 8.1 or 8.6. */
    static PtxModule newer() {
        return module((b, o) -> {
            b.with(new StoreAsync(
                    ScalarType.B32, o.remote, List.of(o.word, o.word, o.word, o.word), o.remote.plus(16)));
            b.with(new StoreAsync(ScalarType.B32, o.remote, List.of(o.word), o.remote.plus(16)));
            b.mbarrierArrive(Ordering.relaxed(Scope.CLUSTER), o.remote, 2);
            b.mbarrierTryWait(Ordering.relaxed(Scope.CTA), b.pred(), o.barrier, o.word);
            b.ret();
        });
    }

    private static PtxModule module(BiConsumer<CodeBuilder, Operands> code) {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("corpus", e -> {
                    Param map = e.tensorMap("map");
                    Param n = e.u32("n");
                    Param data = e.pointer("data");
                    Param scale = e.f32("scale");
                    Param big = e.u64("big");
                    e.param("signed", Param.Kind.S32);
                    e.launchBounds(128, 1);
                    e.cluster(2, 1, 1);
                    SharedRegion region = e.shared("region", 4096, 1024);
                    SharedRegion barriers = e.barriers("bar", 4);
                    SharedDecl fixed = e.staticShared("fixed", 64, 16);
                    e.code(b -> {
                        Reg<B32> base = b.sharedBase();
                        Reg<B32> word = b.param32(n);
                        Reg<F32> single = b.paramF32(scale);
                        Reg<F64> twice = b.f64();
                        b.cvt(Rounding.NONE, ScalarType.F64, ScalarType.F32, twice, single);
                        Reg<B64> pointer = b.globalPointer(data);
                        b.st32(SharedAddress.of(b.addressOf(fixed)), word);
                        code.accept(
                                b,
                                new Operands(
                                        word,
                                        b.param64(big),
                                        single,
                                        twice,
                                        b.narrow16(word),
                                        b.eq(word, 7),
                                        region.at(base, 0),
                                        barriers.barrier(base, 1),
                                        b.mapToRank(b.add(base, barriers.offset()), Immediate.b32(1)),
                                        GlobalAddress.of(pointer),
                                        b.tensorMap(map)));
                    });
                }));
    }

    private static void integers(CodeBuilder b, Operands o) {
        b.add(o.word, 1);
        b.sub(o.wide, 1);
        b.mulLo(o.word, o.word);
        b.mulHi(o.word, 12345);
        b.div(o.word, 3);
        b.with(new Binary(IntegerOperation.DIV, ScalarType.S32, b.b32(), o.word, Immediate.b32(3)));
        b.rem(o.wide, o.wide);
        b.with(new Binary(IntegerOperation.REM, ScalarType.S32, b.b32(), o.word, Immediate.b32(3)));
        b.min(o.word, 3);
        b.max(o.word, Immediate.b32(3));
        b.with(new Binary(IntegerOperation.MIN, ScalarType.S32, b.b32(), o.word, Immediate.b32(-3)));
        b.with(new Binary(IntegerOperation.MAX, ScalarType.S64, b.b64(), o.wide, Immediate.b64(-3)));
        b.and(o.word, 0xffffffffL);
        b.or(o.half, o.half);
        b.xor(o.wide, 0x4000004000010000L);
        b.shl(o.word, 3);
        b.shl(o.wide, o.word);
        b.shr(o.word, 3);
        b.with(new Binary(IntegerOperation.SHR, ScalarType.S64, b.b64(), o.wide, Immediate.b32(3)));
        b.mad(o.word, 8, o.word);
        b.mulWide(o.word, Immediate.b32(8));
        b.madWide(o.word, o.word, o.wide);
        b.with(new Unary(IntegerUnaryOperation.NEG, ScalarType.S32, b.b32(), o.word));
        b.with(new Unary(IntegerUnaryOperation.ABS, ScalarType.S32, b.b32(), o.word));
        b.with(new Unary(IntegerUnaryOperation.NOT, ScalarType.B64, b.b64(), o.wide));
        b.with(new Unary(IntegerUnaryOperation.POPC, ScalarType.B64, b.b32(), o.wide));
        b.with(new Unary(IntegerUnaryOperation.CNOT, ScalarType.B32, b.b32(), o.word));
        b.with(new Unary(IntegerUnaryOperation.CLZ, ScalarType.B32, b.b32(), o.word));
        b.with(new Unary(IntegerUnaryOperation.BREV, ScalarType.B32, b.b32(), o.word));
        b.with(new Lop3(b.b32(), o.word, o.word, o.word, 0x96));
        b.with(new Permute(Optional.empty(), b.b32(), o.word, o.word, Immediate.b32(0x5410)));
        b.with(new BitFieldExtract(ScalarType.U32, b.b32(), o.word, Immediate.b32(3), Immediate.b32(4)));
        b.with(new BitFieldExtract(ScalarType.S64, b.b64(), o.wide, o.word, Immediate.b32(5)));
    }

    private static void floats(CodeBuilder b, Operands o) {
        b.fadd(o.single, Immediate.f32(1.5f));
        b.fsub(o.twice, o.twice);
        b.fmul(o.twice, Immediate.f64(0.1));
        b.fdiv(o.single, o.single);
        b.with(new FloatMath.Binary(
                FloatMath.Operation.DIV,
                Rounding.APPROX,
                FloatMath.Options.NONE,
                ScalarType.F32,
                b.f32(),
                o.single,
                o.single));
        b.with(new FloatMath.Binary(
                FloatMath.Operation.MUL,
                Rounding.NONE,
                FloatMath.Options.NONE,
                ScalarType.F32,
                b.f32(),
                o.single,
                o.single));
        b.fmin(o.single, o.single);
        b.fmax(o.single, o.single);
        b.fma(o.single, o.single, o.single);
        b.fma(o.twice, o.twice, o.twice);
        b.fneg(o.single);
        b.fabs(o.twice);
        b.fneg(o.single);
        b.fabs(o.single);
        unary(b, UnaryOperation.SQRT, Rounding.RN, o.single);
        b.approximate(UnaryOperation.SQRT, o.single);
        b.approximate(UnaryOperation.RSQRT, o.single);
        unary(b, UnaryOperation.RCP, Rounding.RN, o.single);
        for (UnaryOperation operation : List.of(
                UnaryOperation.RCP, UnaryOperation.LG2, UnaryOperation.EX2, UnaryOperation.SIN, UnaryOperation.COS)) {
            b.approximate(operation, o.single);
        }
    }

    private static void unary(CodeBuilder b, UnaryOperation operation, Rounding rounding, Reg<F32> a) {
        b.with(new FloatMath.Unary(operation, rounding, false, ScalarType.F32, b.f32(), a));
    }

    private static void predicatesAndMoves(CodeBuilder b, Operands o) {
        for (Relation relation : Relation.values()) {
            b.setp(relation, ScalarType.F32, o.single, o.single);
        }
        Reg<Pred> q = b.pred();
        Combine combine = new Combine(BooleanOperation.AND, o.p, false);
        b.with(new SetPredicate(Relation.LT, Optional.of(combine), ScalarType.S32, q, o.word, o.word));
        b.setp(Relation.LT, ScalarType.S32, o.word, Immediate.b32(-1));
        b.setp(Relation.GE, ScalarType.S64, o.wide, Immediate.b64(4));
        b.ne(o.half, 1);
        b.select(o.p, o.single, Immediate.f32(0));
        b.select(o.p, o.word, o.word);
        b.andPred(o.p, q);
        b.orPred(o.p, b.notPred(q));
        b.mov(q);
        b.mov(Immediate.f32(2));
        b.floatOf(b.bitsOf(o.single));
        for (SpecialRegister special : SpecialRegister.values()) {
            if (special.type() == ScalarType.U64) {
                b.special64(special);
            } else {
                b.special(special);
            }
        }
        b.pack(o.word, Immediate.b32(0x40000040));
        b.pack16(o.half, o.half);
        b.unpack(b.b32(), b.b32(), o.wide);
        b.with(new Unpack(ScalarType.B32, List.of(Optional.of(b.b16()), Optional.of(b.b16())), o.word));
        b.with(new Unpack(ScalarType.B64, List.of(Optional.of(b.b32()), Optional.empty()), o.wide));
    }

    private static void conversions(CodeBuilder b, Operands o) {
        b.widen(o.word);
        b.cvt(Rounding.NONE, ScalarType.U32, ScalarType.U64, b.b32(), o.wide);
        b.toFloat(o.word);
        b.toFloatSigned(o.word);
        b.floatOfBf16(b.bf16Of(o.single));
        b.bf16x2(o.single, o.single);
        b.cvtPair(ScalarType.F16X2, b.b32(), o.single, o.single);
        b.cvt(Rounding.RN, ScalarType.F16, ScalarType.F32, b.b16(), o.single);
        b.cvt(Rounding.NONE, ScalarType.F32, ScalarType.F16, b.f32(), o.half);
        b.cvt(Rounding.RZI, ScalarType.S32, ScalarType.F32, b.b32(), o.single);
        b.cvt(Rounding.RNI, ScalarType.F32, ScalarType.F32, b.f32(), o.single);
        b.cvt(Rounding.NONE, ScalarType.S64, ScalarType.S32, b.b64(), o.word);
        b.cvt(Rounding.NONE, ScalarType.U32, ScalarType.U16, b.b32(), o.half);
        b.cvt(Rounding.NONE, ScalarType.U32, ScalarType.U8, b.b32(), o.word);
        b.cvt(Rounding.RN, ScalarType.F32, ScalarType.F64, b.f32(), o.twice);
        b.with(new ToGeneric(StateSpace.SHARED, b.b64(), o.wide));
        b.with(new FromGeneric(StateSpace.SHARED, b.b64(), o.wide));
    }

    private static void memory(CodeBuilder b, Operands o) {
        Ordering relaxed = Ordering.relaxed(Scope.GPU);
        b.ldVector(ScalarType.U32, List.of(b.b32(), b.b32(), b.b32(), b.b32()), o.shared.plus(16));
        b.ldVector(ScalarType.F32, List.of(b.f32(), b.f32()), o.global.plus(-8));
        b.ld(Ordering.DEFAULT, CacheOperator.NC, ScalarType.B64, List.of(b.b64(), b.b64()), o.global);
        b.ld(Ordering.DEFAULT, CacheOperator.CG, ScalarType.F64, List.of(b.f64()), o.global);
        b.ld(ScalarType.U8, b.b32(), o.global);
        b.ld(ScalarType.B16, b.b16(), o.shared);
        b.ld(ScalarType.U32, b.b32(), o.map);
        b.ld32(Ordering.VOLATILE, o.global);
        b.ld32(Ordering.acquire(Scope.SYS), o.global);
        b.ld32(Ordering.acquire(Scope.CLUSTER), o.shared);
        b.ld32(o.remote);
        b.ld(ScalarType.B64, b.b64(), o.global);
        b.st(ScalarType.U8, o.global, o.word);
        b.st64(o.shared, o.wide);
        b.stF32(o.global, Immediate.f32(1));
        b.stVector(ScalarType.B32, o.shared, List.of(o.word, o.word, o.word, Immediate.b32(9)));
        b.st(Ordering.release(Scope.GPU), CacheOperator.NONE, ScalarType.U32, o.global, List.of(o.word));
        b.st(Ordering.DEFAULT, CacheOperator.CS, ScalarType.B32, o.global, List.of(o.word));
        b.st32(o.remote, o.word);
        b.atom32(relaxed, AtomicOperation.ADD, o.global, Immediate.b32(1));
        b.atom32(Ordering.DEFAULT, AtomicOperation.INC, o.global, o.word);
        b.atom32(Ordering.acqRel(Scope.GPU), AtomicOperation.EXCH, o.global, o.word);
        b.atom32(Ordering.DEFAULT, AtomicOperation.OR, o.shared, o.word);
        b.atom32(Ordering.DEFAULT, AtomicOperation.MAX, o.remote, o.word);
        b.with(new Atomic(
                Ordering.acquire(Scope.GPU),
                AtomicOperation.CAS,
                ScalarType.B32,
                b.b32(),
                o.global,
                Immediate.b32(0),
                Optional.of(o.word)));
        b.red(relaxed, AtomicOperation.ADD, ScalarType.U64, o.global, o.wide);
        b.red(Ordering.DEFAULT, AtomicOperation.MIN, ScalarType.U64, o.global, o.wide);
        b.red(Ordering.release(Scope.GPU), AtomicOperation.ADD, ScalarType.F32, o.global, o.single);
        b.prefetchTensorMap(o.map);
    }

    private static void barriers(CodeBuilder b, Operands o) {
        b.syncThreads();
        b.barrierSync(1, 128);
        b.barrierArrive(2, 64);
        b.barrierSync(2, 64);
        b.with(new CtaBarrier(CtaAction.SYNC, true, Immediate.b32(3), Optional.of(Immediate.b32(128))));
        b.syncWarp();
        b.clusterSync();
        b.clusterArrive(Sem.RELAXED);
        b.clusterWait();
        b.with(new ThreadFence(Sem.ACQ_REL, Scope.CLUSTER));
        b.with(new ThreadFence(Sem.SC, Scope.SYS));
        for (ProxyFenceSpace space : ProxyFenceSpace.values()) {
            b.with(new ProxyFence(space));
        }
        b.elect();
        b.with(new Elect(Optional.of(b.b32()), b.pred(), Immediate.b32(-1)));
        b.shflIdx(o.word, 0);
        b.shflXor(o.word, 16);
        b.with(new Vote(VoteMode.ANY, b.pred(), o.p, false, Immediate.b32(-1)));
        b.with(new Ballot(b.b32(), o.p, false, Immediate.b32(-1)));
        b.setMaxRegistersDecrease(40);
        b.setMaxRegistersIncrease(232);
        b.gridDependencyWait();
        b.gridLaunchDependents();
        b.nanosleep(100);
    }

    private static void mbarriers(CodeBuilder b, Operands o) {
        b.mbarrierInit(o.barrier, 2);
        b.fenceBarrierInit();
        b.mbarrierArrive(o.barrier);
        b.mbarrierArrive(Ordering.release(Scope.CTA), o.barrier, 3);
        b.mbarrierArrive(o.remote);
        b.mbarrierArrive(Ordering.release(Scope.CLUSTER), o.remote, 2);
        b.mbarrierArriveExpectTx(o.barrier, 128);
        b.with(new ArriveExpectTx(Ordering.DEFAULT, o.remote, o.word));
        b.with(new ExpectTx(Ordering.relaxed(Scope.CTA), o.barrier, Immediate.b32(64)));
        b.with(new CompleteTx(Ordering.relaxed(Scope.CLUSTER), o.remote, Immediate.b32(64)));
        b.with(new Wait(WaitMode.TEST_WAIT, Ordering.DEFAULT, b.pred(), o.barrier, Immediate.b32(1), Optional.empty()));
        b.waitParity(o.barrier, o.word);
        b.waitParity(Ordering.acquire(Scope.CLUSTER), o.barrier, o.word);
        b.with(new Wait(
                WaitMode.TRY_WAIT,
                Ordering.DEFAULT,
                b.pred(),
                o.barrier,
                o.word,
                Optional.of(Immediate.b32(10_000_000))));
        b.with(new Invalidate(o.barrier));
    }

    private static void bulkCopies(CodeBuilder b, Operands o) {
        List<Reg<B32>> two = List.of(o.word, o.word);
        List<Immediate<B32>> three = List.of(Immediate.b32(0), Immediate.b32(-4), Immediate.b32(8));
        Reg<B64> policy = b.createPolicy(EvictionPriority.EVICT_FIRST);
        b.with(new CachePolicy.Fractional(
                b.b64(), EvictionPriority.EVICT_LAST, Optional.empty(), Optional.of(Immediate.f32(0.5f))));
        b.tmaLoad(o.shared, o.map, two, o.barrier);
        b.tmaLoad(o.shared, o.map, three, o.barrier, Optional.of(o.half), Optional.of(policy));
        b.tmaLoad(o.shared, o.map, two, o.barrier, Optional.empty(), Optional.of(policy));
        b.tmaStore(o.map, two, o.shared);
        b.tmaStore(o.map, three, o.shared, Optional.of(policy));
        b.with(new BulkCopy.TensorReduce(ReduceOperation.ADD, o.map, List.copyOf(two), o.shared, Optional.empty()));
        b.with(new BulkCopy.TensorReduce(
                ReduceOperation.MAX, o.map, List.of(o.word, o.word), o.shared, Optional.of(policy)));
        b.with(new BulkCopy.TensorPrefetch(false, o.map, List.copyOf(two), Optional.empty()));
        b.with(new BulkCopy.Load(
                o.shared, o.global, Immediate.b32(64), o.barrier, Optional.empty(), Optional.of(policy)));
        b.with(new BulkCopy.Store(o.global, o.shared, o.word, Optional.empty()));
        b.bulkCommitGroup();
        b.bulkWaitGroupRead(1);
        b.with(new BulkCopy.WaitGroup(0, false));
    }

    private static void matrices(CodeBuilder b, Operands o) {
        List<Reg<B32>> four = b.b32Array("fragment", 4);
        four.forEach(register -> b.mov(register, 0));
        b.stmatrix(o.shared, four);
        b.stmatrix(o.shared, four.subList(0, 1));
        b.stmatrixTransposed(o.shared.plus(32), four.subList(0, 2));
        b.with(new Matrix.Load(false, four, o.shared));
        b.with(new Matrix.Load(true, four.subList(0, 1), o.shared));
        List<Reg<F32>> acc = b.f32Array("acc", 8);
        b.wgmmaFence();
        b.wgmma(ScalarType.BF16, acc, o.wide, o.wide, false);
        b.wgmma(ScalarType.F16, acc, o.wide, o.wide, o.p);
        b.with(new MmaAsync(
                16,
                Element.F32,
                Element.BF16,
                Element.BF16,
                false,
                List.copyOf(acc),
                new MatrixA.Descriptor(o.wide, true),
                o.wide,
                new ScaleD.Fixed(true),
                true,
                false,
                true));
        b.with(new MmaAsync(
                16,
                Element.F32,
                Element.BF16,
                Element.BF16,
                false,
                List.copyOf(acc),
                new MatrixA.Fragment(four),
                o.wide,
                new ScaleD.When(o.p),
                false,
                true,
                false));
        b.wgmmaCommitGroup();
        b.wgmmaWaitGroup(0);
        acc.forEach(register -> b.stF32(o.global, register));
    }

    private static void control(CodeBuilder b, Operands o) {
        Label on = b.newLabel("on");
        b.with(new Branch(true, on));
        b.bind(on);
        b.comment("guards of both signs");
        b.guarded(o.p, t -> t.with(new Trap()));
        b.guardedNot(o.p, CodeBuilder::exit);
        Consumer<CodeBuilder> sleep = s -> s.nanosleep(20);
        b.ifThen(o.p, sleep);
        b.ifNot(o.p, sleep);
        b.ifThenElse(o.p, sleep, sleep);
        b.loop("spin", (l, loop) -> l.braIf(o.p, loop.end()));
        b.doWhile("again", l -> l.gt(o.word, Immediate.b32(3)));
        b.ret();
    }
}
