package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.Variable.Relocation;
import dev.tilewright.ptx.WarpRole;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How PTX is spelt, and what is said of texts that are not. */
class PtxParserTest {
    private static final String HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n";

    @ParameterizedTest
    @CsvSource({
        "0x1F, 31",
        "037, 31",
        "0b11111, 31",
        "31U, 31",
        "0xffffffff, -1",
        "-1, -1",
        "(1 << 4) + 5*2 - 1, 25",
        "~0, -1",
        "WARP_SZ, 32",
        "0, 0",
        "- - 3, 3",
        "7 / 2 % 2 | 8, 9"
    })
    void integersInEveryForm(String text, long value) {
        assertThat(only("mov.u32 %r1, " + text + ";"))
                .isEqualTo(new Move.Copy(ScalarType.U32, Reg.b32("%r1"), Immediate.b32(value)));
    }

    @ParameterizedTest
    @CsvSource({"0f3F800000, 1", "1.0, 1", "25e-2, 0.25", "-1.5, -1.5", "-0f3F800000, -1", "1e3, 1000"})
    void floatsInEveryForm(String text, float value) {
        assertThat(only("mov.f32 %f1, " + text + ";"))
                .isEqualTo(new Move.Copy(ScalarType.F32, Reg.f32("%f1"), Immediate.f32(value)));
    }

    @Test
    void bitsOfAFloatAreBits() {
        assertThat(only("mov.b32 %r1, 0f40000000;"))
                .isEqualTo(new Move.Copy(ScalarType.B32, Reg.b32("%r1"), Immediate.b32(0x40000000)));
        assertThat(only("mov.f64 %d1, 0d3FF0000000000000;"))
                .isEqualTo(new Move.Copy(ScalarType.F64, Reg.f64("%d1"), Immediate.f64(1)));
    }

    @Test
    void modifiersComeInAnyOrder() {
        Memory.Load load = new Memory.Load(
                new Ordering(Sem.ACQUIRE, Scope.GPU),
                CacheOperator.NONE,
                ScalarType.U32,
                List.of(Reg.b32("%r1")),
                new GlobalAddress(Reg.b64("%rd1"), -8));
        assertThat(only("ld.acquire.gpu.global.u32 %r1, [%rd1+-8];")).isEqualTo(load);
        assertThat(only("ld.global.acquire.gpu.u32 %r1, [ %rd1 - 8 ];")).isEqualTo(load);
        assertThat(only("ld.u32.gpu.global.acquire %r1, [%rd1+4-12];")).isEqualTo(load);
    }

    @Test
    void oldNamesAreTheNewForms() {
        assertThat(only("bar.sync 0;")).isEqualTo(only("barrier.cta.sync.aligned 0;"));
        assertThat(only("membar.gl;")).isEqualTo(new Barrier.ThreadFence(Sem.SC, Scope.GPU));
        assertThat(only("setp.hi.u32 %p1, %r1, 3;")).isEqualTo(only("setp.gt.u32 %p1, %r1, 3;"));
        assertThat(only("mad.rn.f32 %f1, %f1, %f1, %f1;")).isInstanceOf(FloatMath.Fma.class);
        assertThat(only("ld.shared.u32 %r1, [%r2];"))
                .isEqualTo(only("ld.shared::cta.u32 %r1, [%r2];"))
                .isInstanceOfSatisfying(
                        Memory.Load.class,
                        load -> assertThat(load.address()).isEqualTo(new SharedAddress(Reg.b32("%r2"), 0)));
    }

    @Test
    void innerNamesAreMadeUnique() {
        Entry entry = entry("""
            .reg .b32 %r<3>, x;
            L: mov.u32 x, 1; bra L;
            { .reg .b32 %r<2>; .reg .f32 x; L: mov.f32 x, 1.0; mov.u32 %r1, 5; mov.u32 %r2, 6; bra L; bra OUT; }
            { .reg .b32 x; mov.u32 x, 2; }
            OUT: mov.u32 x, 3;
            """);
        assertThat(entry.registers())
                .containsExactly(
                        new RegisterDecl(ScalarType.B32, "%r", 3),
                        new RegisterDecl(ScalarType.B32, "x", 0),
                        new RegisterDecl(ScalarType.B32, "%r$2_", 2),
                        new RegisterDecl(ScalarType.F32, "x$2", 0),
                        new RegisterDecl(ScalarType.B32, "x$3", 0));
        assertThat(entry.body())
                .contains(
                        new Statement.LabelTarget(new Label("L$2")),
                        new Control.Branch(false, new Label("L$2")),
                        new Control.Branch(false, new Label("OUT")),
                        new Move.Copy(ScalarType.U32, Reg.b32("%r$2_1"), Immediate.b32(5)),
                        new Move.Copy(ScalarType.U32, Reg.b32("%r2"), Immediate.b32(6)),
                        new Move.Copy(ScalarType.U32, Reg.b32("x$3"), Immediate.b32(2)),
                        new Move.Copy(ScalarType.U32, Reg.b32("x"), Immediate.b32(3)));
    }

    @Test
    void dataHaveTheirBytes() {
        PtxModule module = PtxParser.parse(HEAD + """
            .global .align 4 .u16 a[4] = {1, 0x203, -1};
            .const .f32 b[2][2] = {{1.0}, {0f40000000, 3.0}};
            .global .u64 c[] = {a+2, 5, generic(b)};
            .visible .global .s32 d;
            .extern .shared .align 16 .b8 dynamic[];
            .shared .f32 fixed[3][5];
            """);
        assertThat(module.variables())
                .containsExactly(
                        new Variable(StateSpace.GLOBAL, "a", 4, 8, "01000302ffff", List.of()),
                        new Variable(StateSpace.CONST, "b", 4, 16, "0000803f000000000000004000004040", List.of()),
                        new Variable(
                                StateSpace.GLOBAL,
                                "c",
                                8,
                                24,
                                "000000000000000005000000000000000000000000000000",
                                List.of(new Relocation(0, "a", 2, false), new Relocation(16, "b", 0, true))),
                        new Variable(StateSpace.GLOBAL, "d", 4, 4, "", List.of(), Linkage.VISIBLE, false));
        assertThat(module.shared()).containsExactly(SharedDecl.dynamic("dynamic", 16), new SharedDecl("fixed", 60, 4));
        assertThat(PtxParser.parse(PtxWriter.write(module))).isEqualTo(module);
    }

    @Test
    void headOfAKernel() {
        Entry entry = PtxParser.parse("""
            /* block
               comment */
            .version 8.5 // of the ISA
            .target sm_100a, debug
            .address_size 64
            .file 1 "a.cu"
            .visible .entry k(.param .u8 a, .param .align 8 .b8 b[24], .param .u64 .ptr .align 1 c,
                .param .align 64 .b8 map[128], .param .f64 d) .maxntid 16, 8 .minnctapersm 2 .maxnreg 128
            .reqnctapercluster 2, 2, 1 .explicitcluster .pragma "nounroll";
            { .loc 1 2 3, function_name $L__info, inlined_at 1 2 3
              ret; }
            .section .debug_str { .b8 1, 2 a: .b32 3 }
            """).entry("k");
        assertThat(entry.params())
                .extracting(Param::kind)
                .containsExactly(
                        Param.Kind.U8, Param.Kind.BYTES, Param.Kind.U64, Param.Kind.TENSOR_MAP, Param.Kind.F64);
        assertThat(entry.params().get(1).bytes()).isEqualTo(24);
        assertThat(entry.launch().maxThreads()).isEqualTo(128);
        assertThat(entry.launch().minCtasPerSm()).isEqualTo(2);
        assertThat(entry.launch().cluster()).hasValue(new LaunchBounds.Cluster(2, 2, 1));
        assertThat(entry.launch().threads()).contains(new LaunchBounds.Threads(false, 16, 8, 1));
        assertThat(entry.launch().maxRegisters()).isEqualTo(128);
        assertThat(entry.launch().explicitCluster()).isTrue();
        assertThat(entry.params().get(2).pointee()).contains(new Param.Pointee(StateSpace.GENERIC, 1));
        assertThat(entry.body()).containsExactly(new Control.Return());
    }

    @Test
    void jumpsThroughTablesKnowTheirTargets() {
        Entry entry = entry("t: .branchtargets A, B; brx.idx %r1, t; A: B: ret;");
        assertThat(entry.body().get(1))
                .isEqualTo(new FunctionCall.BranchIndexed(
                        false, Reg.b32("%r1"), new Label("t"), List.of(new Label("A"), new Label("B"))));
    }

    @Test
    void rolesAndRegionsAreTakenFromTheirMarksAlone() {
        Entry entry = entry("""
                //@ shared a: data, 256 bytes at 0, align 128
                //@ shared full: barriers, 16 bytes at 256, align 8
                //@ something else
                // role load: warps 0..3
                //@ role load: warps 0..3
                ret;
                //@ end role load
                """);
        assertThat(entry.dynamicShared().bytes()).isEqualTo(272);
        assertThat(entry.roles()).containsExactly(new WarpRole("load", 0, 4, 2, 3, Optional.empty()));
        assertThat(entry.body())
                .containsExactly(
                        new Statement.Comment("@ something else"),
                        new Statement.Comment("role load: warps 0..3"),
                        new Control.Return());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            //@ role a: warps 0..3                             | role a begins but does not end
            //@ end role a                                     | role a ends but is not the innermost that began
            //@ role a: warps 3..0                             | role a: warps must be in 0..31, got 3..0
            //@ shared a: barriers, 16 bytes at 4, align 8     | shared region a: offset must be a multiple of 8, got 4
            """)
    void marksThatAreWrong(String mark, String reason) {
        assertThat(problems(HEAD + ".visible .entry k() {\n" + mark + "\nret;\n}\n"))
                .extracting(ParseError::reason)
                .containsExactly(reason);
    }

    @Test
    void everyProblemIsNamedAndLocatedAtOnce() {
        List<ParseError> problems = problems(HEAD + """
            .visible .entry k(.param .u32 n)
            {
                .reg .b32 %r<4>;
                .reg .f32 %f<2>;
                multimem.ld_reduce.weak.global.add.f32 [%r1], 32;
                add.u32 %r1, %r9, 1;
                add.u32 %r1, %f1, 1;
                add.u32.fancy %r1, %r2, 1;
                bra NOWHERE;
                mov.u32 %r1, 0x1ffffffff;
                add.u32 %r1 %r2, 3;
                wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%f0, %f1}, %r1, %r1, 1, 1, 1, 0, 0;
                ld.param.u32 %r1, [m];
                ret
            }
            .surfref s;
            """);
        assertThat(problems)
                .extracting(ParseError::toString)
                .containsExactly(
                        "8:5: multimem.ld_reduce.weak.global.add.f32: the instruction is not" + " supported",
                        "9:18: add.u32: no register named %r9",
                        "10:5: add.u32: %f1 has type .f32, the instruction takes .u32",
                        "11:12: add.u32.fancy: modifier .fancy is not supported here",
                        "12:9: bra: no label named NOWHERE",
                        "13:5: mov.u32: immediate: .b32 must be in -2147483648..4294967295, got 8589934591",
                        "14:17: add.u32: expected ',', got '%r2'",
                        "15:5: wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16:"
                                + " wgmma: N must be a multiple of 8 in 8..256, got 12",
                        "16:24: ld.param.u32: no register or variable named m in .param",
                        "18:1: ret: expected ';', got '}'",
                        "19:1: .surfref: the directive is not supported");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        .target sm_90a                  | has no .version
        .version 8.0                    | has no .target that we know
        .version 8.0 .target sm_75      | not a target that we know: sm_75
        .version 8.0 .target sm_90 .address_size 32 | addresses have 64 bits
        .version 8.0 .target sm_90 .entry k() { ret;  | a block is not closed
        .version 8.0 .target sm_90 /* x | a comment is not closed
        .version 8.0 .target sm_90 .entry k() { } .entry k() { } | two kernels named k
        .version 8.0 .target sm_90 .global .u32 a; .global .u32 a; | a is declared twice
        .version 8.0 .target sm_90 .global .u32 a[1] = {1, 2}; | a has 4 bytes, its contents 8
        .version 8.0 .target sm_90 .entry k() .maxntid 2048 { } | a size must be in 1..1024, got 2048
        """)
    void modulesThatAreWrong(String text, String reason) {
        assertThat(problems(text)).extracting(ParseError::reason).anyMatch(r -> r.contains(reason));
    }

    @Test
    void problemsOfAllKernelsAreToldEvenBehindAHeadThatIsWrong() {
        String text = HEAD + """
            .visible .entry first() .blocksareclusters .maxntid 4096 { txq.width.b32; ret; }
            .func helper() { multimem.st.weak.global.f32 [%r1], %f1; suld.b.1d.b32 x; }
            .visible .entry second(.param .u64 a) {
                .reg .v4 .f32 %v;
                { wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1}, %rd1, %rd2, %r1, 0, 1, 1, 1, 0, 0; }
                ret;
            }
            """;
        assertThat(problems(text))
                .extracting(ParseError::toString)
                .containsExactly(
                        "4:25: .blocksareclusters: .blocksareclusters is not supported",
                        "4:53: .maxntid: a size must be in 1..1024, got 4096",
                        "4:60: txq.width.b32: the instruction is not supported",
                        "5:18: multimem.st.weak.global.f32: the instruction is not supported",
                        "5:58: suld.b.1d.b32: the instruction is not supported",
                        "7:10: .reg: registers that are vectors are not supported",
                        "8:22: wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16:"
                                + " modifier .sp is not supported here");
    }

    private static final String THREE_KERNELS = HEAD + """
            .func broken() { suld.b.1d.b32 x; }
            .func used() { ret; }
            .visible .entry first() { call broken, (); ret; }
            .visible .entry second() { call used, (); ret; }
            .visible .entry third() .blocksareclusters { multimem.st.weak.global.f32 [%r1], %f1; ret; }
            """;

    @Test
    void whatAKernelDoesNotNeedMayBeWrong() {
        PtxModule module = PtxParser.parseLocated(THREE_KERNELS, "second").module();
        assertThat(module.entries()).extracting(Entry::name).containsExactly("second");
        assertThat(module.functions()).extracting(Function::name).containsExactly("used");
    }

    @ParameterizedTest
    @CsvSource({"first, 1", "third, 2", "fourth, 3"})
    void whatItNeedsMayNot(String kernel, int problems) {
        PtxParseException thrown =
                catchThrowableOfType(PtxParseException.class, () -> PtxParser.parseLocated(THREE_KERNELS, kernel));
        assertThat(thrown.problems()).hasSize(problems);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%reserved_smem_offset_1", "%reserved_smem_offset_begin", "%aggr_smem_size", "%envreg31", "%pm0"
            })
    void aSpecialRegisterThatWeDoNotHaveIsNoMistake(String name) {
        assertThat(problems(HEAD + ".entry k() { .reg .b32 %r<2>; mov.b32 %r1, " + name + "; ret; }"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.unsupported()).isTrue();
                    assertThat(problem.reason()).isEqualTo("special register " + name + " is not supported");
                });
    }

    @Test
    void noProblemIsLeftOutAndTheMessageStaysShort() {
        String text = HEAD + ".visible .entry k() {\n" + "tld4.r.2d.v4.f32.f32 {};\n".repeat(700) + "ret; }\n";
        PtxParseException thrown = catchThrowableOfType(PtxParseException.class, () -> PtxParser.parse(text));
        assertThat(thrown.problems()).hasSize(700);
        assertThat(thrown.getMessage().lines()).hasSize(201).last().isEqualTo("and 500 more");
    }

    private static List<ParseError> problems(String text) {
        PtxParseException thrown = catchThrowableOfType(PtxParseException.class, () -> PtxParser.parse(text));
        assertThat(thrown).as(text).isNotNull();
        return thrown.problems();
    }

    private static Entry entry(String body) {
        boolean declares = body.contains(".reg");
        return PtxParser.parse(HEAD + ".visible .entry k() {\n"
                        + (declares
                                ? ""
                                : ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %d<4>; .reg .pred"
                                        + " %p<4>;\n")
                        + body + "\n}\n")
                .entry("k");
    }

    private static Statement only(String instruction) {
        Entry entry = entry(instruction);
        assertThat(entry.body()).hasSize(1);
        return entry.body().getFirst();
    }

    @Test
    void targetIsKept() {
        assertThat(PtxParser.parse(".version 9.0\n.target sm_100a\n").target()).isEqualTo(Target.SM_100A);
    }
}
