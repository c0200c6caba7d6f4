package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.TensorMapUpdate.Field;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.WarpMatrix.Role;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterAddress;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What other producers write and our builders do not: the records it becomes, and the text that becomes of them. */
class ProducerFormsTest {
    private static final Reg<B32> R1 = Reg.b32("%r1");
    private static final Reg<B64> RD1 = Reg.b64("%rd1");
    private static final Reg<B64> RD2 = Reg.b64("%rd2");

    @Test
    void namesOfVariablesBecomeRegistersAndStayNamesInTheText() {
        Entry entry = entry("mbarrier.init.shared.b64 [bar+8], 2; @%p1 mbarrier.inval.shared::cta.b64 [bar];");
        Reg<B32> at = Reg.b32("%at_bar");
        Move.AddressOf put = new Move.AddressOf(ScalarType.U32, at, "bar", StateSpace.SHARED, 0);
        assertThat(entry.body())
                .containsExactly(
                        put,
                        new Mbarrier.Init(new SharedAddress(at, 8), Immediate.b32(2)),
                        put,
                        new Statement.Guarded(
                                Reg.pred("%p1"), false, new Mbarrier.Invalidate(new SharedAddress(at, 0))));
        assertThat(entry.registers().getLast())
                .isEqualTo(new RegisterDecl(ScalarType.B32, "%at_bar", 0, Optional.of("bar")));
        assertThat(text("mbarrier.init.shared.b64 [bar+8], 2;"))
                .contains("mbarrier.init.shared::cta.b64 [bar+8], 2;")
                .doesNotContain("%at_bar");
    }

    @Test
    void aRegisterOfThatNameIsAnother() {
        Entry entry = entry(".reg .f32 %at_bar; mov.f32 %at_bar, 1.0; mbarrier.init.shared.b64 [bar], 2;");
        assertThat(entry.body().getLast())
                .isEqualTo(new Mbarrier.Init(new SharedAddress(Reg.b32("%at_bar$2"), 0), Immediate.b32(2)));
        assertThat(text(".reg .f32 %at_bar; mov.f32 %at_bar, 1.0; mbarrier.init.shared.b64 [bar], 2;"))
                .contains("mov.f32 %at_bar,")
                .contains("mbarrier.init.shared::cta.b64 [bar], 2;");
    }

    @Test
    void aBarrierByAGenericAddressLiesInTheOwnSharedMemory() {
        Entry entry = entry("mbarrier.arrive.b64 _, [%rd1+8];");
        Reg<B64> window = Reg.b64("%window");
        Reg<B32> shared = Reg.b32("%shared");
        assertThat(entry.body())
                .containsExactly(
                        new Convert.FromGeneric(StateSpace.SHARED, window, RD1),
                        new Convert.Cvt(
                                Rounding.NONE, Convert.Options.NONE, ScalarType.U32, ScalarType.U64, shared, window),
                        new Mbarrier.Arrive(Ordering.DEFAULT, new SharedAddress(shared, 8), Optional.empty()));
    }

    @Test
    void oneRegisterMayStandInBraces() {
        assertThat(only("ld.global.b32 { %r1 }, [ %rd1 + 0 ];")).isEqualTo(only("ld.global.b32 %r1, [%rd1];"));
        assertThat(only("st.global.b32 [ %rd1 + 4 ], { %r1 };")).isEqualTo(only("st.global.b32 [%rd1+4], %r1;"));
    }

    @Test
    void parametersAreReadThroughRegisters() {
        assertThat(only("ld.param.b32 %r1, [%rd1+16];"))
                .isEqualTo(new Memory.Load(
                        Ordering.DEFAULT,
                        CacheOperator.NONE,
                        ScalarType.B32,
                        List.of(R1),
                        new RegisterAddress(StateSpace.PARAM, RD1, 16)));
    }

    @Test
    void tensorMapsAreChangedAndFenced() {
        assertThat(only("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r1], 1, 64;"))
                .isEqualTo(new TensorMapUpdate.Replace(
                        Field.GLOBAL_DIM, new SharedAddress(R1, 0), Optional.of(1), Immediate.b32(64)));
        assertThat(only("tensormap.replace.tile.global_address.b1024.b64 [%rd1], %rd2;"))
                .isEqualTo(new TensorMapUpdate.Replace(
                        Field.GLOBAL_ADDRESS, new GenericAddress(RD1, 0), Optional.empty(), RD2));
        assertThat(only("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
                        + " [%rd1], [%r1], 0x80;"))
                .isEqualTo(new TensorMapUpdate.CopyRelease(
                        Scope.GPU, new GlobalAddress(RD1, 0), new SharedAddress(R1, 0)));
        assertThat(only("fence.proxy.tensormap::generic.acquire.sys [%rd1], 128;"))
                .isEqualTo(new TensorMapUpdate.Acquire(Scope.SYS, new GenericAddress(RD1, 0)));
        assertThat(only("fence.proxy.tensormap::generic.release.cta;"))
                .isEqualTo(new TensorMapUpdate.Release(Scope.CTA));
    }

    @Test
    void lanesOfAProductMayBeDisabled() {
        String tail = "[%r1], %rd1, %rd2, %r2, ";
        assertThat(only("tcgen05.mma.cta_group::1.kind::f16 " + tail + "{%r3, %r3, %r3, %r3}, %p1;"))
                .isInstanceOfSatisfying(
                        Tcgen05.Multiply.class,
                        mma -> assertThat(mma.disabledLanes()).hasSize(4).containsOnly(Reg.b32("%r3")));
        assertThat(only("tcgen05.mma.cta_group::2.kind::f16 " + tail
                        + "{%r3, %r3, %r3, %r3, %r3, %r3, %r3, %r3}, %p1;"))
                .isInstanceOfSatisfying(
                        Tcgen05.Multiply.class,
                        mma -> assertThat(mma.disabledLanes()).hasSize(8));
    }

    @Test
    void policiesInEveryForm() {
        assertThat(only("createpolicy.fractional.L2::evict_last.b64 %rd1;"))
                .isEqualTo(new CachePolicy.Fractional(
                        RD1, EvictionPriority.EVICT_LAST, Optional.empty(), Optional.empty()));
        assertThat(only("createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;"))
                .isEqualTo(new CachePolicy.Fractional(
                        RD1, EvictionPriority.EVICT_LAST, Optional.empty(), Optional.of(Immediate.f32(1))));
        assertThat(only("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %rd1;"))
                .isEqualTo(new CachePolicy.Fractional(
                        RD1, EvictionPriority.EVICT_LAST, Optional.of(EvictionPriority.EVICT_FIRST), Optional.empty()));
        assertThat(only("createpolicy.range.L2::evict_first.b64 %rd1, [%rd2], %r1, 4096;"))
                .isEqualTo(new CachePolicy.Range(
                        RD1,
                        EvictionPriority.EVICT_FIRST,
                        Optional.empty(),
                        new GenericAddress(RD2, 0),
                        R1,
                        Immediate.b32(4096)));
        assertThat(only("createpolicy.cvt.L2.b64 %rd1, %rd2;")).isEqualTo(new CachePolicy.FromProperty(RD1, RD2));
        assertThat(only("applypriority.global.L2::evict_normal [%rd1], 128;"))
                .isEqualTo(new CachePolicy.ResetPriority(new GlobalAddress(RD1, 0)));
        assertThat(only("discard.global.L2 [%rd1], 128;"))
                .isEqualTo(new CachePolicy.Discard(new GlobalAddress(RD1, 0)));
    }

    @Test
    void atomicsBeyondOneWord() {
        assertThat(only("red.global.add.L2::cache_hint.u32 [%rd1], %r1, %rd2;"))
                .isEqualTo(new Memory.Reduce(
                        Ordering.DEFAULT,
                        AtomicOperation.ADD,
                        false,
                        ScalarType.U32,
                        new GlobalAddress(RD1, 0),
                        List.of(R1),
                        Optional.of(RD2)));
        Reg<?> q = new Reg<>(ScalarType.B128, "%q1");
        assertThat(only("atom.release.gpu.global.exch.b128 %q1, [%rd1], %q1;"))
                .isEqualTo(new Memory.Atomic(
                        Ordering.release(Scope.GPU),
                        AtomicOperation.EXCH,
                        ScalarType.B128,
                        q,
                        new GlobalAddress(RD1, 0),
                        q,
                        Optional.empty()));
        assertThat(only("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec.u32"
                        + " [%r1], 3, [%r1+8];"))
                .isEqualTo(new Memory.ReduceAsync(
                        AtomicOperation.DEC,
                        ScalarType.U32,
                        new ClusterAddress(R1, 0),
                        Immediate.b32(3),
                        new ClusterAddress(R1, 8)));
        assertThat(only("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;"))
                .isEqualTo(new Barrier.RestrictedFence(Sem.RELEASE, true));
        assertThat(only("fence.acquire.sync_restrict::shared::cluster.cluster;"))
                .isEqualTo(new Barrier.RestrictedFence(Sem.ACQUIRE, false));
    }

    @Test
    void matricesOfAWarp() {
        Reg<?> d1 = Reg.f64("%d1");
        Reg<?> d2 = Reg.f64("%d2");
        assertThat(only("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d2}, {%d1}, {%d2}, {%d1, %d2};"))
                .isInstanceOfSatisfying(WarpMatrix.Multiply.class, mma -> {
                    assertThat(mma.shape()).isEqualTo(new Shape(8, 8, 4));
                    assertThat(mma.columnsA() || mma.rowsB()).isFalse();
                    assertThat(mma.d()).isEqualTo(List.of(d1, d2));
                    assertThat(mma.b()).isEqualTo(List.of(d2));
                });
        assertThat(only("wmma.load.b.sync.aligned.col.m16n16k8.shared.tf32 {%r1, %r2, %r3, %r1}, [%r1], 8;"))
                .isInstanceOfSatisfying(WarpMatrix.Load.class, load -> {
                    assertThat(load.role()).isEqualTo(Role.B);
                    assertThat(load.columns()).isTrue();
                    assertThat(load.stride()).contains(Immediate.b32(8));
                });
        assertThat(only("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;"))
                .isEqualTo(new WarpMatrix.Transpose(R1, Reg.b32("%r2")));
    }

    @Test
    void packedValues() {
        assertThat(only("cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3, 0;"))
                .isEqualTo(new Convert.SaturateAndPack(
                        Convert.Narrow.S8, R1, Reg.b32("%r2"), Reg.b32("%r3"), Optional.of(Immediate.b32(0))));
        assertThat(only("fma.rn.ftz.f32x2 %rd1, %rd1, %rd2, %rd1;"))
                .isEqualTo(
                        new FloatMath.Fma(Rounding.RN, FloatMath.Options.FLUSH, ScalarType.F32X2, RD1, RD1, RD2, RD1));
    }

    @Test
    void callsThroughRegisters() {
        Entry entry = entry("""
                proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]);
                mov.u64 %rd1, helper;
                { .param .b64 a; .param .align 8 .b8 b[16]; .param .b32 r; call.uni (r), %rd1, (a, b), proto; }
                """);
        assertThat(entry.body().getFirst())
                .isEqualTo(new IndirectCall.Prototype(
                        new Label("proto"),
                        List.of(new FunctionCall.Declare(ScalarType.B32, "_", 4, 0)),
                        List.of(
                                new FunctionCall.Declare(ScalarType.B64, "_", 8, 0),
                                new FunctionCall.Declare(ScalarType.B8, "_", 8, 16)),
                        false));
        assertThat(entry.body().get(1)).isEqualTo(new IndirectCall.FunctionAddress(RD1, "helper"));
        assertThat(entry.body().getLast())
                .isEqualTo(new IndirectCall.Call(true, Optional.of("r"), RD1, List.of("a", "b"), new Label("proto")));
    }

    @Test
    void adviceAndBreakpointsAreKept() {
        assertThat(entry(".pragma \"nounroll\", \"frequency 4\"; brkpt; pmevent 3;")
                        .body())
                .containsExactly(
                        new Tooling.Pragma("nounroll"),
                        new Tooling.Pragma("frequency 4"),
                        new Tooling.Breakpoint(),
                        new Tooling.PerformanceEvent(3));
    }

    @Test
    void promisesOfAKernelAreKeptAsWritten() {
        String head = """
            .version 9.0
            .target sm_90a
            .weak .entry a(.param .u64 .ptr .shared .align 8 p, .param .u64 .ptr q, .param .u64 r)
            .reqntid 32, 4
            .maxclusterrank 8
            .maxnreg 96
            { ret; }
            .entry b() { ret; }
            """;
        PtxModule module = PtxParser.parse(head);
        Entry a = module.entry("a");
        assertThat(a.linkage()).isEqualTo(Linkage.WEAK);
        assertThat(a.launch())
                .isEqualTo(new LaunchBounds(
                        Optional.of(new LaunchBounds.Threads(true, 32, 4, 1)), 0, Optional.empty(), false, 8, 96));
        assertThat(a.params())
                .extracting(Param::pointee)
                .containsExactly(
                        Optional.of(new Param.Pointee(StateSpace.SHARED, 8)),
                        Optional.of(new Param.Pointee(StateSpace.GENERIC, 4)),
                        Optional.empty());
        Entry b = module.entry("b");
        assertThat(b.linkage()).isEqualTo(Linkage.LOCAL);
        assertThat(b.launch()).isEqualTo(LaunchBounds.NONE);
        assertThat(b.launch().maxThreads()).isEqualTo(1024);
        assertThat(PtxWriter.write(module))
                .contains(".weak .entry a(")
                .contains(".param .u64 .ptr .shared .align 8 p,")
                .contains(".reqntid 32, 4, 1\n.maxnreg 96\n.maxclusterrank 8\n{")
                .contains("\n.entry b()\n{");
    }

    @Test
    void variablesAreDeclaredSeveralAtOnceAndKeepWhoMayNameThem() {
        PtxModule module =
                PtxParser.parse(".version 9.0 .target sm_90a .visible .global .attribute(.managed) .u32 a = 1, b;"
                        + ".shared .align 8 .b64 c, d[2];");
        assertThat(module.variables())
                .extracting(v -> v.name() + v.managed() + v.linkage() + v.contents())
                .containsExactly("atrueVISIBLE01000000", "btrueVISIBLE");
        assertThat(module.shared()).extracting(s -> s.name() + s.bytes()).containsExactly("c8", "d16");
        assertThat(PtxParser.parse(PtxWriter.write(module))).isEqualTo(module);
    }

    private static PtxModule module(String body) {
        return PtxParser.parse("""
            .version 9.0
            .target sm_100a
            .func (.param .b32 r) helper(.param .b64 a, .param .align 8 .b8 b[16]) { ret; }
            .visible .entry k(.param .u64 p)
            {
                .reg .pred %%p<4>; .reg .b32 %%r<4>; .reg .b64 %%rd<4>; .reg .f64 %%d<4>; .reg .b128 %%q<2>;
                .shared .align 8 .b64 bar[2];
                %s
            }
            """.formatted(body));
    }

    private static Entry entry(String body) {
        PtxModule module = module(body);
        assertThat(PtxParser.parse(PtxWriter.write(module))).isEqualTo(module);
        return module.entry("k");
    }

    private static String text(String body) {
        return PtxWriter.write(module(body));
    }

    private static Statement only(String instruction) {
        Entry entry = entry(instruction);
        assertThat(entry.body()).hasSize(1);
        return entry.body().getFirst();
    }
}
