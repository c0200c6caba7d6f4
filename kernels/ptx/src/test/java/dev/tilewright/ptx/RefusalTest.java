package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tilewright.ptx.LaunchBounds.Cluster;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each documented range is refused, with the value in the message. */
class RefusalTest {
    private static final Reg<B32> R = Reg.b32("%r0");
    private static final Reg<B16> H = new Reg<>(ScalarType.B16, "%h0");
    private static final Reg<B64> D = Reg.b64("%rd0");
    private static final Reg<F32> F = Reg.f32("%f0");
    private static final Reg<Pred> P = Reg.pred("%p0");
    private static final SharedAddress S = SharedAddress.of(R);
    private static final GlobalAddress G = GlobalAddress.of(D);
    private static final GenericAddress MAP = GenericAddress.of(D);

    static Stream<Arguments> refusals() {
        return Stream.of(
                        arithmetic(),
                        comparesAndMoves(),
                        memory(),
                        barriers(),
                        mbarriers(),
                        bulkCopies(),
                        matrices(),
                        declarations())
                .flatMap(s -> s);
    }

    private static Stream<Arguments> arithmetic() {
        return Stream.of(
                refuse(
                        "add: type not allowed, got .f32",
                        () -> new Arithmetic.Binary(Arithmetic.IntegerOperation.ADD, ScalarType.F32, R, R, R)),
                refuse(
                        "and: type not allowed, got .u32",
                        () -> new Arithmetic.Binary(Arithmetic.IntegerOperation.AND, ScalarType.U32, R, R, R)),
                refuse(
                        "mul.wide: type must be u16, u32, s16 or s32, got .u64",
                        () -> new Arithmetic.MultiplyWide(ScalarType.U64, D, D, D)),
                refuse(
                        "mad.wide: type not allowed, got .u64",
                        () -> new Arithmetic.MultiplyAdd(Arithmetic.Half.WIDE, ScalarType.U64, D, D, D, D)),
                refuse(
                        "neg: type not allowed, got .u32",
                        () -> new Arithmetic.Unary(Arithmetic.IntegerUnaryOperation.NEG, ScalarType.U32, R, R)),
                refuse(
                        "min: rounds and saturates nothing, got RN ",
                        () -> floats(FloatMath.Operation.MIN, Rounding.RN, FloatMath.Options.NONE, ScalarType.F32)),
                refuse(
                        "add.f16: rounding not allowed, got RZ",
                        () -> floats(FloatMath.Operation.ADD, Rounding.RZ, FloatMath.Options.FLUSH, ScalarType.F16)),
                refuse(
                        "div.f64: rounding not allowed, got FULL",
                        () -> floats(FloatMath.Operation.DIV, Rounding.FULL, FloatMath.Options.NONE, ScalarType.F64)),
                refuse(
                        "mul.f64: modifier not allowed, got .ftz",
                        () -> floats(FloatMath.Operation.MUL, Rounding.RN, FloatMath.Options.FLUSH, ScalarType.F64)),
                refuse(
                        "max: type not allowed, got .f32x2",
                        () -> floats(FloatMath.Operation.MAX, Rounding.NONE, FloatMath.Options.NONE, ScalarType.F32X2)),
                refuse(
                        "fma.f32: rounding not allowed, got APPROX",
                        () -> new FloatMath.Fma(Rounding.APPROX, FloatMath.Options.NONE, ScalarType.F32, F, F, F, F)),
                refuse(
                        "sin.approx: type not allowed, got .f64",
                        () -> new FloatMath.Unary(
                                FloatMath.UnaryOperation.SIN, Rounding.APPROX, false, ScalarType.F64, D, D)),
                refuse("lop3: table must be in 0..255, got 256", () -> new Arithmetic.Lop3(R, R, R, R, 256)),
                refuse(
                        "bfe: length must be in 0..255, got 256",
                        () -> new Arithmetic.BitFieldExtract(
                                ScalarType.U32, R, R, Immediate.b32(0), Immediate.b32(256))),
                refuse(
                        "immediate: .b32 must be in -2147483648..4294967295, got 4294967296",
                        () -> Immediate.b32(1L << 32)));
    }

    private static Stream<Arguments> comparesAndMoves() {
        return Stream.of(
                refuse(
                        "setp.lt: type not allowed, got .b32",
                        () -> new Compare.SetPredicate(Compare.Relation.LT, Optional.empty(), ScalarType.B32, P, R, R)),
                refuse(
                        "setp.nan: type not allowed, got .u32",
                        () -> new Compare.SetPredicate(
                                Compare.Relation.NAN, Optional.empty(), ScalarType.U32, P, R, R)),
                refuse("selp: type not allowed, got .b8", () -> new Compare.Select(ScalarType.B8, R, R, R, P)),
                refuse(
                        "cvt.f32.u32: rounding not allowed, got NONE",
                        () -> new Convert.Cvt(
                                Rounding.NONE, Convert.Options.NONE, ScalarType.F32, ScalarType.U32, F, R)),
                refuse(
                        "cvt.bf16.f32: rounding not allowed, got NONE",
                        () -> new Convert.Cvt(
                                Rounding.NONE, Convert.Options.NONE, ScalarType.BF16, ScalarType.F32, R, F)),
                refuse(
                        "cvt.s32.f32: rounding not allowed, got RN",
                        () -> new Convert.Cvt(Rounding.RN, Convert.Options.NONE, ScalarType.S32, ScalarType.F32, R, F)),
                refuse(
                        "cvt: a pair is bf16x2 or f16x2, got .f32",
                        () -> new Convert.Pair(Rounding.RN, Convert.Options.NONE, ScalarType.F32, R, F, F)),
                refuse(
                        "cvt.bf16x2.f32: rounding must be rn or rz, got RP",
                        () -> new Convert.Pair(Rounding.RP, Convert.Options.NONE, ScalarType.BF16X2, R, F, F)),
                refuse("cvta: needs a state space, got GENERIC", () -> new Convert.ToGeneric(StateSpace.GENERIC, D, D)),
                refuse(
                        "mov: an address is u32 or u64, got B32",
                        () -> new Move.AddressOf(ScalarType.B32, R, "smem", StateSpace.SHARED, 0)),
                refuse(
                        "mov: a vector has 2 or 4 parts of b32, b64 or b128, got 3 parts of .b64",
                        () -> new Move.Pack(ScalarType.B64, D, List.of(R, R, R))));
    }

    private static Stream<Arguments> memory() {
        return Stream.of(
                refuse("ld: a vector has 1, 2, 4 or 8 elements, got 3", () -> load(ScalarType.U32, List.of(R, R, R))),
                refuse(
                        "ld: at most 32 bytes in one access, got 64 (8 x .u64)",
                        () -> load(ScalarType.U64, List.of(D, D, D, D, D, D, D, D))),
                refuse(
                        "ld: ordering must be weak, volatile, relaxed or acquire, got RELEASE",
                        () -> new Memory.Load(
                                Ordering.release(Scope.GPU), CacheOperator.NONE, ScalarType.U32, List.of(R), G)),
                refuse(
                        "ld: a cache operator goes with weak accesses alone, got CG with VOLATILE",
                        () -> new Memory.Load(Ordering.VOLATILE, CacheOperator.CG, ScalarType.U32, List.of(R), G)),
                refuse(
                        "ld: cache operator not allowed, got WB",
                        () -> new Memory.Load(Ordering.DEFAULT, CacheOperator.WB, ScalarType.U32, List.of(R), G)),
                refuse(
                        "ld.nc: address must be global, got SHARED",
                        () -> new Memory.Load(Ordering.DEFAULT, CacheOperator.NC, ScalarType.U32, List.of(R), S)),
                refuse(
                        "st: ordering must be weak, volatile, relaxed or release, got ACQUIRE",
                        () -> new Memory.Store(
                                Ordering.acquire(Scope.GPU), CacheOperator.NONE, ScalarType.U32, G, List.of(R))),
                refuse(
                        "st: parameters of a kernel are read-only",
                        () -> new Memory.Store(
                                Ordering.DEFAULT,
                                CacheOperator.NONE,
                                ScalarType.U32,
                                ParamAddress.of("n"),
                                List.of(R))),
                refuse(
                        "atom.inc: type not allowed, got .s32",
                        () -> new Memory.Atomic(
                                Ordering.DEFAULT,
                                Memory.AtomicOperation.INC,
                                ScalarType.S32,
                                R,
                                G,
                                R,
                                Optional.empty())),
                refuse(
                        "atom.cas: a third operand goes with cas alone, got none",
                        () -> new Memory.Atomic(
                                Ordering.DEFAULT,
                                Memory.AtomicOperation.CAS,
                                ScalarType.B32,
                                R,
                                G,
                                R,
                                Optional.empty())),
                refuse(
                        "red: operation must not be cas or exch, got EXCH",
                        () -> new Memory.Reduce(Ordering.DEFAULT, Memory.AtomicOperation.EXCH, ScalarType.B32, G, R)),
                refuse(
                        "red: ordering must be relaxed or release, got ACQUIRE",
                        () -> new Memory.Reduce(
                                Ordering.acquire(Scope.GPU), Memory.AtomicOperation.ADD, ScalarType.U32, G, R)),
                refuse(
                        "st.async: type must have 32 or 64 bits, got .b16",
                        () -> new Memory.StoreAsync(
                                ScalarType.B16, ClusterAddress.of(R), List.of(R), ClusterAddress.of(R))),
                refuse(
                        "ordering: sem and scope come as a pair, got ACQUIRE and NONE",
                        () -> new Ordering(Sem.ACQUIRE, Scope.NONE)));
    }

    private static Stream<Arguments> barriers() {
        return Stream.of(
                refuse("barrier.cta: id must be in 0..15, got 16", () -> ctaBarrier(16, OptionalInt.of(128))),
                refuse(
                        "barrier.cta: threads must be a multiple of 32, got 100",
                        () -> ctaBarrier(1, OptionalInt.of(100))),
                refuse("barrier.cta: threads must be in 32..1024, got 2048", () -> ctaBarrier(1, OptionalInt.of(2048))),
                refuse("barrier.cta.arrive: needs a thread count, got none", () -> ctaBarrier(1, OptionalInt.empty())),
                refuse(
                        "barrier.cluster.wait: ordering not allowed, got RELEASE",
                        () -> new Barrier.ClusterBarrier(Barrier.ClusterAction.WAIT, Sem.RELEASE, false)),
                refuse(
                        "barrier.cluster.arrive: ordering not allowed, got ACQUIRE",
                        () -> new Barrier.ClusterBarrier(Barrier.ClusterAction.ARRIVE, Sem.ACQUIRE, false)),
                refuse(
                        "fence: ordering must be acq_rel, sc, acquire or release, got RELAXED",
                        () -> new Barrier.ThreadFence(Sem.RELAXED, Scope.GPU)),
                refuse("fence: needs a scope, got NONE", () -> new Barrier.ThreadFence(Sem.SC, Scope.NONE)),
                refuse(
                        "shfl: c must be in 0..7967, got 7968",
                        () -> new Barrier.Shuffle(
                                Barrier.ShuffleMode.IDX, R, Optional.empty(), R, R, Immediate.b32(0x1f20), R)),
                refuse("setmaxnreg: count must be in 24..256, got 16", () -> new Barrier.SetMaxRegisters(true, 16)),
                refuse(
                        "setmaxnreg: count must be a multiple of 8, got 42",
                        () -> new Barrier.SetMaxRegisters(false, 42)),
                refuse(
                        "nanosleep: nanoseconds must be in 0..1000000, got 1000001",
                        () -> new Barrier.Nanosleep(Immediate.b32(1_000_001))));
    }

    private static Stream<Arguments> mbarriers() {
        return Stream.of(
                refuse(
                        "mbarrier.init: count must be in 1..1048575, got 0",
                        () -> new Mbarrier.Init(S, Immediate.b32(0))),
                refuse(
                        "mbarrier.init: barrier must be aligned to 8 bytes, got offset 4",
                        () -> build(new Mbarrier.Init(S.plus(4), Immediate.b32(1)))),
                refuse(
                        "mbarrier.arrive: barrier must be in shared memory, got GLOBAL",
                        () -> new Mbarrier.Arrive(Ordering.DEFAULT, G, Optional.empty())),
                refuse(
                        "mbarrier: count must be in 1..1048575, got 1048576",
                        () -> build(new Mbarrier.Arrive(Ordering.DEFAULT, S, Optional.of(Immediate.b32(1 << 20))))),
                refuse(
                        "mbarrier: barrier must be aligned to 8 bytes, got offset 4",
                        () -> build(new Mbarrier.Arrive(
                                Ordering.DEFAULT, false, false, Optional.of(D), S.plus(4), Optional.empty()))),
                refuse(
                        "mbarrier: barrier must be aligned to 8 bytes, got offset 4",
                        () -> build(new Mbarrier.ArriveExpectTx(Ordering.DEFAULT, true, Optional.of(D), S.plus(4), R))),
                refuse(
                        "mbarrier.test_wait: barrier must be aligned to 8 bytes, got offset 4",
                        () -> build(new Mbarrier.Wait(
                                Mbarrier.WaitMode.TEST_WAIT,
                                Ordering.DEFAULT,
                                P,
                                S.plus(4),
                                new Mbarrier.Phase.State(D),
                                Optional.empty()))),
                refuse(
                        "mbarrier.arrive: ordering must be release or relaxed, got ACQUIRE",
                        () -> new Mbarrier.Arrive(Ordering.acquire(Scope.CTA), S, Optional.empty())),
                refuse(
                        "mbarrier: bytes must be in 0..1048575, got 1048576",
                        () -> build(new Mbarrier.ArriveExpectTx(Ordering.DEFAULT, S, Immediate.b32(1 << 20)))),
                refuse(
                        "mbarrier.expect_tx: ordering must be relaxed, got WEAK",
                        () -> new Mbarrier.ExpectTx(Ordering.DEFAULT, S, Immediate.b32(1))),
                refuse(
                        "mbarrier.complete_tx: ordering must be relaxed, got WEAK",
                        () -> new Mbarrier.CompleteTx(Ordering.DEFAULT, S, Immediate.b32(1))),
                refuse("mbarrier.try_wait: parity must be in 0..1, got 2", () -> parity(Mbarrier.WaitMode.TRY_WAIT, 2)),
                refuse(
                        "mbarrier.try_wait: ordering must be acquire or relaxed, got RELEASE",
                        () -> new Mbarrier.Wait(
                                Mbarrier.WaitMode.TRY_WAIT, Ordering.release(Scope.CTA), P, S, R, Optional.empty())),
                refuse(
                        "mbarrier.test_wait: takes no suspend hint",
                        () -> new Mbarrier.Wait(
                                Mbarrier.WaitMode.TEST_WAIT, Ordering.DEFAULT, P, S, R, Optional.of(R))),
                refuse(
                        "mapa: rank must be in 0..15, got 16",
                        () -> build(new Mbarrier.MapToRank(false, R, R, Immediate.b32(16)))),
                refuse(
                        "mapa: rank must be in 0..15, got 77",
                        () -> build(new Mbarrier.MapToRank(true, D, D, Immediate.b32(77)))));
    }

    private static Stream<Arguments> bulkCopies() {
        List<Reg<B32>> six = List.of(R, R, R, R, R, R);
        return Stream.of(
                refuse(
                        "cp.async.bulk.tensor: dimensions must be in 1..5, got 6",
                        () -> new BulkCopy.TensorLoad(S, MAP, List.copyOf(six), S, Optional.empty(), Optional.empty())),
                refuse(
                        "cp.async.bulk.tensor: the address of a tensor map must be a register alone, an offset is added to"
                                + " it before, got [%rd0+128]",
                        () -> new BulkCopy.TensorStore(
                                false, new GenericAddress(D, 128), List.of(R, R), S, Optional.empty())),
                refuse(
                        "cp.async.bulk.prefetch.tensor: the address of a tensor map must be a register alone, an offset is"
                                + " added to it before, got [%rd0+64]",
                        () -> new BulkCopy.TensorPrefetch(
                                false, new GenericAddress(D, 64), List.of(R), Optional.empty())),
                refuse(
                        "cp.async.bulk.tensor: destination must be aligned to 128 bytes, got offset 64",
                        () -> build(new BulkCopy.TensorLoad(
                                S.plus(64), MAP, List.of(R), S, Optional.empty(), Optional.empty()))),
                refuse(
                        "cp.async.bulk.tensor: barrier must be aligned to 8 bytes, got offset 12",
                        () -> build(new BulkCopy.TensorLoad(
                                S, MAP, List.of(R), S.plus(12), Optional.empty(), Optional.empty()))),
                refuse(
                        "cp.async.bulk.tensor: source must be aligned to 128 bytes, got offset 16",
                        () -> build(new BulkCopy.TensorStore(false, MAP, List.of(R), S.plus(16), Optional.empty()))),
                refuse(
                        "cp.reduce.async.bulk.tensor: dimensions must be in 1..5, got 0",
                        () -> new BulkCopy.TensorReduce(
                                BulkCopy.ReduceOperation.ADD, MAP, List.of(), S, Optional.empty())),
                refuse(
                        "cp.async.bulk: bytes must be a multiple of 16, got 24",
                        () -> new BulkCopy.Load(S, G, Immediate.b32(24), S, Optional.empty(), Optional.empty())),
                refuse(
                        "cp.async.bulk.prefetch.L2.global: bytes must be in 16..1048560, got 0",
                        () -> build(new BulkCopy.Prefetch(G, Immediate.b32(0), Optional.empty()))),
                refuse(
                        ": destination must be aligned to 16 bytes, got offset 8",
                        () -> build(new BulkCopy.Load(S.plus(8), G, R, S, Optional.of(H), Optional.empty()))),
                refuse(
                        ": source must be aligned to 16 bytes, got offset 8",
                        () -> build(new BulkCopy.Store(G, S.plus(8), R, Optional.of(D)))),
                refuse(
                        ": source must be aligned to 16 bytes, got offset 8",
                        () -> build(new BulkCopy.Reduce(
                                BulkCopy.ReduceOperation.ADD,
                                false,
                                ScalarType.U32,
                                G,
                                S.plus(8),
                                R,
                                Optional.empty()))),
                refuse(
                        ": destination must be aligned to 16 bytes, got offset 8",
                        () -> build(new BulkCopy.ReduceToCluster(
                                BulkCopy.ReduceOperation.ADD,
                                ScalarType.U32,
                                new ClusterAddress(R, 8),
                                S,
                                R,
                                new ClusterAddress(R, 0)))),
                refuse(
                        ": barrier must be aligned to 8 bytes, got offset 4",
                        () -> build(new BulkCopy.SharedToCluster(
                                new ClusterAddress(R, 0), S, R, new ClusterAddress(R, 4)))),
                refuse(
                        "cp.async.bulk.wait_group: pending must be in 0..63, got 64",
                        () -> new BulkCopy.WaitGroup(64, true)),
                refuse(
                        "createpolicy: fraction must be above 0 and up to 1, got 1.5",
                        () -> new CachePolicy.Fractional(
                                D,
                                BulkCopy.EvictionPriority.EVICT_FIRST,
                                Optional.empty(),
                                Optional.of(Immediate.f32(1.5f)))));
    }

    private static Stream<Arguments> matrices() {
        return Stream.of(
                refuse("wgmma: N must be a multiple of 8 in 8..256, got 260", () -> mma(260, Element.BF16, 130)),
                refuse("wgmma: N must be a multiple of 8 in 8..256, got 12", () -> mma(12, Element.BF16, 6)),
                refuse("wgmma: types not allowed, got f32.f32.f32", () -> mma(8, Element.F32, 4)),
                refuse("wgmma: N=16 takes 8 registers of D, got 4", () -> mma(16, Element.BF16, 4)),
                refuse("wgmma: A in registers takes 4 of them, got 2", () -> new Wgmma.MatrixA.Fragment(List.of(R, R))),
                refuse("wgmma.wait_group: pending must be in 0..7, got 8", () -> new Wgmma.WaitGroup(8)),
                refuse(
                        "stmatrix: takes 1, 2 or 4 registers, got 3",
                        () -> new Matrix.Store(false, S, List.of(R, R, R))),
                refuse(
                        "stmatrix.sync.aligned.m8n8: address must be aligned to 16 bytes, got offset 8",
                        () -> build(new Matrix.Store(false, S.plus(8), List.of(R)))),
                refuse("ldmatrix: takes 1, 2 or 4 registers, got 0", () -> new Matrix.Load(false, List.of(), S)));
    }

    private static Stream<Arguments> declarations() {
        return Stream.of(
                refuse("got '0r'", () -> Reg.b32("0r")),
                refuse("label: not a PTX identifier: '1x'", () -> new Label("1x")),
                refuse("comment: must be one line", () -> new Statement.Comment("a\nb")),
                refuse("parameter: not a PTX identifier: 'a-b'", () -> new Param("a-b", Param.Kind.U32)),
                refuse("threads must be in 1..1024, got 1025", () -> new LaunchBounds(1025, 0, Optional.empty())),
                refuse("cluster: sizes must be positive and at most 16 CTAs, got 4x8x1", () -> new Cluster(4, 8, 1)),
                refuse("shared x: alignment must be a power of two, got 24", () -> new SharedDecl("x", 8, 24)),
                refuse(
                        "role x: warps must be in 0..31, got 30..33",
                        () -> new WarpRole("x", 30, 4, 0, 0, Optional.empty())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void namesTheRuleAndTheValue(String message, ThrowingCallable constructor) {
        assertThatThrownBy(constructor)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static Arguments refuse(String message, ThrowingCallable constructor) {
        return arguments(message, constructor);
    }

    /** The builder refuses what an assembler takes and the machine does not. */
    private static void build(Instruction instruction) {
        PtxModule.build(Target.SM_90A, m -> m.entry("k", e -> e.code(b -> b.with(instruction))));
    }

    private static void floats(
            FloatMath.Operation operation, Rounding rounding, FloatMath.Options options, ScalarType type) {
        new FloatMath.Binary(operation, rounding, options, type, F, F, F);
    }

    private static void load(ScalarType type, List<Reg<?>> d) {
        new Memory.Load(Ordering.DEFAULT, CacheOperator.NONE, type, d, G);
    }

    private static void ctaBarrier(int id, OptionalInt threads) {
        new Barrier.CtaBarrier(
                Barrier.CtaAction.ARRIVE,
                false,
                Immediate.b32(id),
                threads.isPresent() ? Optional.of(Immediate.b32(threads.getAsInt())) : Optional.empty());
    }

    private static void parity(Mbarrier.WaitMode mode, int parity) {
        new Mbarrier.Wait(mode, Ordering.DEFAULT, P, S, Immediate.b32(parity), Optional.empty());
    }

    private static void mma(int n, Element type, int accumulators) {
        List<Reg<?>> d = new ArrayList<>();
        IntStream.range(0, accumulators).forEach(i -> d.add(Reg.f32("%f" + i)));
        new Wgmma.MmaAsync(
                n,
                Element.F32,
                type,
                type,
                false,
                d,
                new Wgmma.MatrixA.Descriptor(D, false),
                D,
                new Wgmma.ScaleD.Fixed(true),
                false,
                false,
                false);
    }
}
