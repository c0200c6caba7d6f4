package dev.tilewright.ptx.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedLayout;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.Convert.ToGeneric;
import dev.tilewright.ptx.instruction.Memory.PrefetchTensorMap;
import dev.tilewright.ptx.instruction.Move.AddressOf;
import dev.tilewright.ptx.instruction.Move.Copy;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every rule has a module that breaks it, and says so in words. */
class ValidatorTest {
    @Test
    void registerOfAnotherType() {
        expect(
                validate(b -> b.with(new Copy(ScalarType.F64, b.f32(), Immediate.f64(1)))),
                Rule.TYPE,
                "%f0 has type .f32, the instruction takes .f64");
        expect(
                validate(b -> b.ld(ScalarType.F32, b.b64(), ParamAddress.of("n"))),
                Rule.TYPE,
                "%rd0 has type .b64, the instruction takes .f32");
    }

    @Test
    void unknownParameterOrVariable() {
        expect(
                validate(b -> b.ld(ScalarType.U32, b.b32(), ParamAddress.of("m"))),
                Rule.STATE_SPACE,
                "no parameter named m");
        expect(
                validate(b -> b.with(new AddressOf(ScalarType.U32, b.b32(), "tile", StateSpace.SHARED, 0))),
                Rule.STATE_SPACE,
                "no variable named tile in SHARED");
    }

    @Test
    void accessOfThirtyTwoBytesBelowItsTarget() {
        expect(
                validate(b -> {
                    Reg<B64> data = b.b64();
                    b.mov(data, 0);
                    b.ldVector(ScalarType.B64, List.of(b.b64(), b.b64(), b.b64(), b.b64()), new GlobalAddress(data, 0));
                }),
                Rule.TARGET,
                "Memory.Load needs sm_100 or later, PTX ISA 8.8; the target is sm_90a");
    }

    @Test
    void instructionBelowItsTargetOrIsa() {
        PtxModule plain = PtxModule.build(Target.SM_90, m -> m.entry("k", e -> e.code(CodeBuilder::wgmmaFence)));
        expect(
                Validator.validate(plain),
                Rule.TARGET,
                "Wgmma.Fence needs sm_90a alone, PTX ISA 8.0; the target is sm_90");
        PtxModule blackwell = PtxModule.build(Target.SM_100A, m -> m.entry("k", e -> e.code(CodeBuilder::wgmmaFence)));
        expect(Validator.validate(blackwell), Rule.TARGET, "Wgmma.Fence needs sm_90a alone");
        PtxModule late = module((e, b) -> {
            Reg<B32> base = b.sharedBase();
            SharedRegion bar = region(e, "bar");
            b.mbarrierInit(bar.barrier(base, 0), 1);
            b.mbarrierArrive(Ordering.relaxed(Scope.CTA), bar.barrier(base, 0), 1);
        });
        assertThat(Validator.validate(late)).isEmpty();
        expect(
                Validator.validate(late, IsaVersion.V8_0),
                Rule.TARGET,
                "Mbarrier.Arrive needs sm_90 or later, PTX ISA 8.6; the target is sm_90a");
    }

    @Test
    void labelsNotDefinedOrDefinedTwice() {
        expect(validate(b -> b.bra(b.newLabel("gone"))), Rule.LABEL_UNDEFINED, "label GONE is not defined");
        expect(
                validate(b -> {
                    Label twice = b.newLabel("twice");
                    b.bind(twice);
                    b.bind(twice);
                }),
                Rule.LABEL_DUPLICATE,
                "label TWICE is defined twice");
        expect(validate(b -> b.bind(new Label("n"))), Rule.LABEL_DUPLICATE, "label n is also a parameter or variable");
    }

    @Test
    void registerNeverWrittenOrNotDeclared() {
        expect(validate(b -> b.add(b.b32("x"), 1)), Rule.REGISTER_UNWRITTEN, "register %x is read but never written");
        expect(
                validate(b -> b.guarded(b.pred("go"), CodeBuilder::ret)),
                Rule.REGISTER_UNWRITTEN,
                "register %go is read but never written");
        Entry entry = new Entry(
                "k",
                Linkage.VISIBLE,
                List.of(),
                new LaunchBounds(32, 0, Optional.empty()),
                List.of(),
                new SharedLayout(List.of()),
                List.of(),
                List.of(),
                List.of(),
                List.<Statement>of(new Copy(ScalarType.B32, Reg.b32("%r0"), Immediate.b32(1))));
        expect(
                Validator.validate(new PtxModule(Target.SM_90A, List.of(), List.of(entry))),
                Rule.REGISTER_UNDECLARED,
                "register %r0 is not declared as .b32");
    }

    @Test
    void sharedMemoryOverTheLimit() {
        PtxModule module = PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    e.shared("tiles", 232_000, 1024);
                    e.staticShared("fixed", 449, 1);
                    e.code(CodeBuilder::ret);
                }));
        expect(Validator.validate(module), Rule.SHARED_BYTES, "shared memory must be at most 232448 bytes, got 232449");
    }

    @Test
    void rolesThatOverlapOrLieOutside() {
        expect(
                validate(b -> {
                    b.role("load", 0, 4, r -> {});
                    b.role("math", 2, 4, r -> {});
                }),
                Rule.ROLE,
                "roles load (warps 0..3) and math (warps 2..5) overlap");
        expect(
                validate(b -> b.role("late", 8, 1, r -> {})),
                Rule.ROLE,
                "role late needs warp 8, the CTA has 256 threads");
        expect(
                validate(b -> b.role("outer", 0, 4, r -> r.role("inner", 4, 1, q -> {}))),
                Rule.ROLE,
                "role inner (warps 4..4) lies outside its role outer (warps 0..3)");
    }

    @Test
    void registersByWarpgroup() {
        PtxModule unbounded = PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    e.launchBounds(256, 0);
                    e.code(b -> b.setMaxRegistersDecrease(40));
                }));
        expect(Validator.validate(unbounded), Rule.SET_MAX_REGISTERS, "ignored without .minnctapersm or .maxnreg");
        expect(
                validate(b -> b.role("load", 0, 1, r -> r.setMaxRegistersDecrease(40))),
                Rule.SET_MAX_REGISTERS,
                "setmaxnreg is for whole warpgroups, role load has warps 0..0");
        PtxModule greedy = PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    e.launchBounds(384, 1);
                    e.code(b -> {
                        b.role("load", 0, 4, r -> r.setMaxRegistersDecrease(56));
                        b.role("math", 4, 8, r -> r.setMaxRegistersIncrease(240));
                    });
                }));
        expect(
                Validator.validate(greedy),
                Rule.SET_MAX_REGISTERS,
                "the warps' registers must sum to at most 65536, got 68608");
    }

    @Test
    void wgmmaThatDoesNotFitTheEntryRegisters() {
        assertThat(Validator.validate(wgmma(384, 128))).isEmpty();
        assertThat(Validator.validate(wgmma(512, 96))).isEmpty();
        expect(
                Validator.validate(wgmma(512, 128)),
                Rule.WGMMA,
                "wgmma m64n256 needs about 154 registers, at entry a thread has 128 (65536 / 512 threads)");
        expect(Validator.validate(wgmma(640, 96)), Rule.WGMMA, "at entry a thread has 96");
        expect(
                validate(b -> b.role("math", 2, 4, r -> mma(r, 8))),
                Rule.WGMMA,
                "wgmma is for whole warpgroups, role math has warps 2..5");
    }

    private static List<Diagnostic> validateText(String bounds, String body) {
        return Validator.validate(PtxParser.parse("""
                .version 8.0
                .target sm_90a
                .address_size 64
                .visible .entry k()
                %s
                {
                    .reg .f32 %%f<128>;
                    .reg .b64 %%rd<2>;
                    .reg .b32 %%r<2>;
                    .shared .align 4 .b32 v;
                    mov.b64 %%rd0, 0;
                    mov.b32 %%r0, 0;
                    %s
                    ret;
                }
                """.formatted(bounds, body)));
    }

    /** Also of types that have another instruction, and with as many registers as the kernel says itself. */
    @Test
    void wgmmaOfOtherTypesDoesNotFitEither() {
        String accumulators = IntStream.range(0, 128).mapToObj(i -> "%f" + i).collect(Collectors.joining(", "));
        String wgmma =
                "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 {" + accumulators + "}, %rd0, %rd0, 0, 1, 1;";
        assertThat(ofWgmma(".maxntid 512\n.minnctapersm 1", wgmma))
                .containsExactly("wgmma m64n256 needs about 154 registers, at entry a thread has 128 (65536 / 512"
                        + " threads)");
        assertThat(ofWgmma(".maxntid 256\n.minnctapersm 1", wgmma)).isEmpty();
        assertThat(ofWgmma(".maxntid 256\n.maxnreg 128", wgmma))
                .singleElement()
                .asString()
                .contains("at entry a thread has 128");
    }

    private static List<String> ofWgmma(String bounds, String body) {
        return validateText(bounds, body).stream()
                .filter(found -> found.rule() == Rule.WGMMA)
                .map(Diagnostic::message)
                .toList();
    }

    @Test
    void aKernelThatSaysItsRegistersMayRedistributeThem() {
        String give = "setmaxnreg.dec.sync.aligned.u32 40;";
        assertThat(validateText(".maxntid 256\n.maxnreg 168", give)).isEmpty();
        expect(validateText(".maxntid 256", give), Rule.SET_MAX_REGISTERS, "ignored without .minnctapersm or .maxnreg");
    }

    @Test
    void theOwnVariableIsOneOfTheClustersSharedMemory() {
        assertThat(validateText(".maxntid 256", "st.shared::cluster.b32 [v], %r0;"))
                .isEmpty();
    }

    @Test
    void barrierWithoutInitProducerOrExpectation() {
        expect(
                validateBarrier(CodeBuilder::mbarrierArrive, false),
                Rule.BARRIER_INIT,
                "barrier bar is arrived at but never initialised");
        expect(
                validateBarrier((b, bar) -> b.waitParity(bar, Immediate.b32(0)), true),
                Rule.BARRIER_PRODUCER,
                "barrier bar is waited on but nobody arrives");
        expect(
                validateBarrier(
                        (b, bar) -> {
                            Reg<B64> map = b.b64();
                            b.mov(map, 0);
                            b.tmaLoad(
                                    new SharedAddress(bar.base(), 0),
                                    GenericAddress.of(map),
                                    List.of(Immediate.b32(0)),
                                    bar);
                            b.mbarrierArrive(bar);
                        },
                        true),
                Rule.BARRIER_BYTES,
                "barrier bar is completed with bytes but nobody expects any");
        expect(
                validateBarrier((b, bar) -> b.mbarrierArrive(new SharedAddress(bar.base(), 0)), true),
                Rule.BARRIER_INIT,
                "no barrier at byte 0 of the dynamic shared memory (region data)");
    }

    @Test
    void barriersAreFollowedThroughIndicesAndRanks() {
        BiConsumer<CodeBuilder, SharedAddress> remote = (b, bar) -> {
            Reg<B32> stage = b.param32(new Param("n", Param.Kind.U32));
            Reg<B32> slot = b.mad(stage, 8, bar.base());
            b.waitParity(new SharedAddress(slot, bar.offset()), Immediate.b32(0));
            b.mbarrierArrive(b.mapToRank(b.add(b.add(bar.base(), b.shl(stage, 3)), bar.offset()), stage));
        };
        assertThat(validateBarrier(remote, true)).isEmpty();
    }

    @Test
    void tellsEverythingAtOnce() {
        List<Diagnostic> all = validate(b -> {
            b.add(b.b32("x"), 1);
            b.bra(b.newLabel("gone"));
            b.with(new PrefetchTensorMap(GenericAddress.of(b.b64())));
            b.with(new ToGeneric(StateSpace.PARAM, b.b64(), b.b64()));
        });
        assertThat(all).extracting(Diagnostic::rule).contains(Rule.REGISTER_UNWRITTEN, Rule.LABEL_UNDEFINED);
        assertThat(all).hasSize(4);
        assertThat(all.getFirst()).hasToString("k[0]: REGISTER_UNWRITTEN: register %x is read but never written");
    }

    private static void expect(List<Diagnostic> found, Rule rule, String message) {
        assertThat(found).anySatisfy(d -> {
            assertThat(d.rule()).isEqualTo(rule);
            assertThat(d.message()).contains(message);
        });
        assertThat(found).extracting(Diagnostic::rule).containsOnly(rule);
    }

    private static List<Diagnostic> validate(Consumer<CodeBuilder> code) {
        return Validator.validate(module((e, b) -> code.accept(b)));
    }

    private static PtxModule module(BiConsumer<SharedLayout, CodeBuilder> code) {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    e.u32("n");
                    e.launchBounds(256, 1);
                    e.shared("data", 1024, 128);
                    e.barriers("bar", 4);
                    e.code(b -> code.accept(e.sharedLayout(), b));
                }));
    }

    private static SharedRegion region(SharedLayout layout, String name) {
        return layout.regions().stream()
                .filter(region -> region.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Diagnostic> validateBarrier(BiConsumer<CodeBuilder, SharedAddress> use, boolean initialised) {
        return Validator.validate(module((layout, b) -> {
            SharedAddress bar = region(layout, "bar").barrier(b.sharedBase(), 0);
            if (initialised) {
                b.mbarrierInit(bar, 1);
            }
            use.accept(b, bar);
        }));
    }

    private static PtxModule wgmma(int threads, int accumulators) {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    e.launchBounds(threads, 1);
                    e.code(b -> mma(b, accumulators));
                }));
    }

    private static void mma(CodeBuilder b, int accumulators) {
        Reg<B64> descriptor = b.b64();
        b.mov(descriptor, 0);
        List<Reg<F32>> acc = b.f32Array("acc", accumulators);
        b.wgmma(ScalarType.BF16, acc, descriptor, descriptor, false);
    }
}
