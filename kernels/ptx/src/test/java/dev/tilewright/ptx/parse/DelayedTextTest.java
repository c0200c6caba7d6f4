package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.ptx.Ptxas;
import dev.tilewright.testing.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait in front of a kernel, whatever its text looks like. */
class DelayedTextTest {

    /** A kernel with fewer may get as many. */
    private static final int OF_THE_WAIT = 16;

    /** A thread is given registers in multiples of this. */
    private static final int UNIT = 8;

    private static final String WAIT = """

            	{
            	.reg .pred %tilewright_more, %tilewright_then;
            	.reg .b32 %tilewright_left, %tilewright_kept, %tilewright_product;
            	ld.global.v2.u32 {%tilewright_left, %tilewright_kept}, [tilewright_delay];
            	mov.u32 %tilewright_product, %tilewright_left;
            	setp.gt.s32 %tilewright_more, %tilewright_left, 0;
            tilewright_wait:
            	setp.gt.s32 %tilewright_then, %tilewright_left, 1;
            	mad.lo.u32 %tilewright_product, %tilewright_product, %tilewright_product, %tilewright_left;
            	@!%tilewright_more bra tilewright_begin;
            	setp.gt.s32 %tilewright_more, %tilewright_left, 2;
            	sub.s32 %tilewright_left, %tilewright_left, 2;
            	mad.lo.u32 %tilewright_product, %tilewright_product, %tilewright_product, %tilewright_left;
            	@%tilewright_then bra tilewright_wait;
            tilewright_begin:
            	setp.ne.u32 %tilewright_more, %tilewright_kept, 0;
            	@%tilewright_more st.global.u32 [tilewright_delay], %tilewright_product;
            	}""";

    /** Two kernels, one declared in advance, a function, parameters over lines, braces where none count. */
    private static final String STRANGE = """
            // a comment with .entry wanted( and a brace {
            .version 8.0 /* .version 1.0 } */
            .target sm_90a, texmode_independent
            .address_size 64

            .extern .shared .align 16 .b8 pool[];
            .visible .entry wanted(.param .u64 wanted_param_0);
            .func (.param .b32 r) helper(.param .b32 x)
            {
            	ret;
            }
            .visible .entry wanted_too(.param .u64 p) { ret; }
            .visible .entry wanted(
            	.param .u64 wanted_param_0, // {
            	.param .align 64 .b8 wanted_param_1[128] /* } */
            )
            .maxntid 128, 1, 1
            .pragma "no { unroll";
            {// {
            	.reg .b64 %rd<2>;
            	{ // a block of its own
            	ld.param.u64 %rd0, [wanted_param_0];
            	}
            	ret;
            }
            """;

    @Test
    void theWaitIsTheFirstThingOfTheKernelAndNothingElseChanges() {
        String header = ".address_size 64\n\n";
        String body = ".pragma \"no { unroll\";\n{";
        assertThat(DelayedText.of(STRANGE, "wanted"))
                .isEqualTo(STRANGE.replace(header, header + ".visible .global .align 8 .u64 tilewright_delay = 0;\n\n")
                        .replace(body, body + WAIT));
    }

    @Test
    void eachKernelOfATextMayHaveIt() {
        assertThat(DelayedText.of(STRANGE, "wanted_too")).contains(".param .u64 p) {" + WAIT + " ret; }");
    }

    @Test
    void theRestIsReadAsBefore() {
        String plain = STRANGE.replace(".pragma \"no { unroll\";\n", "").replace(", texmode_independent", "");
        var before =
                PtxParser.parseLocated(plain, "wanted_too").module().entries().getFirst();
        var after = PtxParser.parseLocated(DelayedText.of(plain, "wanted_too"), "wanted_too")
                .module()
                .entries()
                .getFirst();
        assertThat(after.params()).isEqualTo(before.params());
        assertThat(after.launch()).isEqualTo(before.launch());
        assertThat(after.body()).endsWith(before.body().toArray(dev.tilewright.ptx.instruction.Statement[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {".version 8.0\n.target sm_90a\n", ".version 8.7 .target sm_100a .address_size 64 "})
    void headersOfAllSorts(String header) {
        assertThat(DelayedText.of(header + ".entry k(){ret;}", "k"))
                .isEqualTo(header + ".visible .global .align 8 .u64 tilewright_delay = 0;\n\n.entry k(){" + WAIT
                        + "ret;}");
    }

    @Test
    void whatHasNoSuchKernelIsRefusedByName() {
        assertThatThrownBy(() -> DelayedText.of(STRANGE, "helper")).hasMessage("the text has no kernel 'helper'");
        assertThatThrownBy(() -> DelayedText.of(".version 8.0\n.target sm_90a\n.entry k();", "k"))
                .hasMessage("the text has no kernel 'k'");
        assertThatThrownBy(() -> DelayedText.of("\u007fELF", "k")).hasMessageContaining("begins with .version");
        assertThatThrownBy(() -> DelayedText.of(".version 8.0 .entry k(){}", "k"))
                .hasMessageContaining("behind .version comes .target, got '.entry'");
        assertThatThrownBy(() -> DelayedText.of(DelayedText.of(STRANGE, "wanted"), "wanted_too"))
                .hasMessage("the text has a tilewright_delay already");
    }

    /** Of the laboratory, of compilers and of persons; and the cache that Triton wrote, and the examples of bundles. */
    static Stream<Path> kernels() {
        Path root = Path.of("../..");
        return Stream.concat(
                Stream.of("proven", "nvcc").flatMap(folder -> Texts.files(folder).stream()),
                Stream.of(
                                "harness-worker/cli/src/test/resources/triton-cache/JMHPXPVE2XUD/matmul.ptx",
                                "harness-worker/cli/src/test/resources/triton-cache/ZWGTAQLZ263M/matmul.ptx",
                                "docs/examples/bundles/cuda-gemm/gemm-TILE64-STEP32.ptx",
                                "docs/examples/bundles/ptx-bias-relu/gemm.ptx",
                                "docs/examples/check/sm90-gemm.ptx",
                                "docs/examples/check/clc-rows.ptx")
                        .map(root::resolve));
    }

    static Stream<Path> drawnKernels() {
        return Selection.of(kernels().toList(), 7).stream();
    }

    @ParameterizedTest
    @MethodSource("drawnKernels")
    void theAssemblerTakesItAndAThreadIsGivenNoMoreRegisters(Path file) throws IOException, InterruptedException {
        String text = Texts.read(file).replace("${tile}", "16").replaceAll("\\$\\{4 \\* tile( \\* tile)?}", "1024");
        String target = text.lines()
                .filter(line -> line.strip().startsWith(".target"))
                .findFirst()
                .orElseThrow()
                .replaceAll("^\\s*\\.target\\s+(\\w+).*", "$1");
        for (String entry : PtxParser.entryNames(text)) {
            List<Integer> plain = registers(Ptxas.assemble(text, target));
            assertThat(registers(Ptxas.assemble(DelayedText.of(text, entry), target)))
                    .as(entry)
                    .isEqualTo(plain);
        }
    }

    private static List<Integer> registers(String report) {
        return Pattern.compile("Used (\\d+) registers")
                .matcher(report)
                .results()
                .map(used -> Math.max(OF_THE_WAIT, Math.ceilDiv(Integer.parseInt(used.group(1)), UNIT) * UNIT))
                .toList();
    }
}
