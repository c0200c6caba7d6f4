package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the text, the parser gives a module or its own diagnostics, and soon. */
class FuzzTest {
    private static final List<String> TEXTS = Texts.FOLDERS.stream()
            .flatMap(folder -> Texts.files(folder).stream())
            .map(Texts::read)
            .toList();
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            ";",
            ",",
            "@",
            "@!",
            "!",
            "<",
            ">",
            ":",
            "+",
            "-",
            "|",
            "\"",
            "/*",
            "*/",
            "//",
            ".",
            "..",
            "%",
            "%r",
            "%r1",
            "%p1",
            "%f1",
            "0",
            "1",
            "-1",
            "0x",
            "0xffffffffffffffffff",
            "0f3F800000",
            "1e999",
            "99999999999",
            ".reg .b32 %z;",
            ".reg .b32 %r<1000000>;",
            ".b64",
            ".u16",
            ".f16x2",
            ".pred",
            ".v4",
            ".v3",
            ".rn",
            ".sat",
            ".shared",
            ".param",
            ".entry",
            ".func f",
            "mov",
            "bra",
            "ret;",
            "call",
            "\u00e9",
            "\0",
            "//@ role x: warps 0..1\n",
            "//@ end role x\n",
            "//@ shared y: data, 0 bytes at 3, align 5\n");

    private static final String HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n";
    private static final String KERNEL = HEAD + """
            .extern .shared .align 16 .b8 smem[];
            .global .align 8 .b64 data[4];
            .visible .entry k(.param .u64 p) {
            .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %d<4>;
            .shared .align 8 .b64 bar;
            L:
            """;
    private static final List<String> OPERANDS = List.of(
            "%r1",
            "%r2",
            "%rd1",
            "%f1",
            "%d1",
            "%h1",
            "%p1",
            "!%p1",
            "%r1|%p1",
            "_",
            "0",
            "1",
            "-1",
            "128",
            "0f00000000",
            "[%r1]",
            "[%rd1]",
            "[%rd1+16]",
            "[bar]",
            "[smem+1024]",
            "[data]",
            "[p]",
            "[%rd1, {%r1, %r2}]",
            "{%r1, %r2}",
            "{%r1, %r2, %r3, %r4}",
            "{%f1, %f2, %f3, %f4}",
            "{%d1, %d2}",
            "{%rd1, %rd2}",
            "smem",
            "data+8",
            "L",
            "%tid.x");
    private static final List<List<String>> TOKENS = TEXTS.stream()
            .map(text -> List.of(text.replaceAll("//[^\n]*", "").split("(?<=[;,{}\\[\\]()])|\\s+")))
            .toList();
    private static final List<String> MNEMONICS = TEXTS.stream()
            .flatMap(text -> Pattern.compile("(?m)^\\s+([a-z]+[0-9]*(\\.[a-zA-Z0-9_:]+)+)")
                    .matcher(text)
                    .results()
                    .map(found -> found.group(1)))
            .distinct()
            .toList();

    @Draws
    void mutatedTextGivesModuleOrProblems(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder(TEXTS.get(random.nextInt(TEXTS.size())));
        for (int i = random.nextInt(1, 12); i > 0; i--) {
            mutate(text, random);
        }
        check(text.toString());
    }

    static String texts(Draw draw) {
        return draw.text(0, 255);
    }

    @Draws
    void anyStringGivesProblems(@From("texts") String text) {
        check(text);
        check(".version 8.0\n.target sm_90a\n.visible .entry k() {" + text + "}");
    }

    @Draws
    void randomPiecesGiveModuleOrProblems(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_90a\n.visible .entry k() {\n");
        for (int i = random.nextInt(200); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size()))).append(random.nextBoolean() ? " " : "");
        }
        check(text.toString());
    }

    /** Tokens of real files, so that more of them fit together than random pieces do. */
    @Draws
    void shuffledTokensGiveModuleOrProblems(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> tokens = new ArrayList<>(TOKENS.get(random.nextInt(TOKENS.size())));
        for (int i = random.nextInt(1, 8); i > 0; i--) {
            rearrange(tokens, random);
        }
        check(String.join(" ", tokens));
    }

    /** The first part of one file, the last of another. */
    @Draws
    void splicedTextGivesModuleOrProblems(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String head = TEXTS.get(random.nextInt(TEXTS.size()));
        String tail = TEXTS.get(random.nextInt(TEXTS.size()));
        check(head.substring(0, random.nextInt(head.length())) + tail.substring(random.nextInt(tail.length())));
    }

    /** Instructions that nearly are some: modifiers and operands drawn from those of real ones. */
    @Draws
    void nearlyInstructionsGiveModuleOrProblems(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder(KERNEL);
        for (int i = random.nextInt(1, 40); i > 0; i--) {
            String mnemonic = MNEMONICS.get(random.nextInt(MNEMONICS.size()));
            List<String> parts = new ArrayList<>(List.of(mnemonic.split("\\.")));
            for (int j = random.nextInt(3); j > 0 && parts.size() > 1; j--) {
                String[] other = MNEMONICS.get(random.nextInt(MNEMONICS.size())).split("\\.");
                parts.set(random.nextInt(1, parts.size()), other[random.nextInt(other.length)]);
            }
            text.append(random.nextInt(8) == 0 ? "@!%p1 " : "").append(String.join(".", parts));
            for (int j = random.nextInt(6); j > 0; j--) {
                text.append(' ')
                        .append(OPERANDS.get(random.nextInt(OPERANDS.size())))
                        .append(j > 1 ? "," : "");
            }
            text.append(";\n");
        }
        check(text.append("}\n").toString());
    }

    @Test
    void deepNestingIsRefused() {
        for (String piece : List.of("{", "(", "[", "-", "~(", "{ a: ", "/*", "@", ".section x {", "1+(", "{{", "<<")) {
            String text = ".version 8.0\n.target sm_90a\n.visible .entry k() {\n.reg .b32 %a;\n";
            String initial = ".version 8.0\n.target sm_90a\n.global .b32 x[4] = ";
            List<String> texts = List.of(
                    text + piece.repeat(50_000),
                    text + "mov.u32 %a, " + piece.repeat(50_000),
                    initial + piece.repeat(50_000),
                    text + (piece + ";").repeat(50_000) + "}");
            for (String deep : texts) {
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20),
                        () -> assertThatThrownBy(() -> PtxParser.parse(deep)).isInstanceOf(PtxParseException.class));
            }
        }
    }

    /** Sizes that no GPU has cost nothing but a problem, or no memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".global .b8 x[999999999999];",
                ".global .b8 x[1073741824][1073741824];",
                ".global .align 99999999999999999999 .b8 x;",
                ".const .b64 x[2147483647] = {1};",
                ".shared .b8 x[999999999999];",
                ".visible .entry k() { .reg .b32 %r<2000000000>; ret; }",
                ".visible .entry k() { .reg .b32 %r<-1>; ret; }",
                ".visible .entry k() { .shared .b8 x[999999999999]; ret; }",
                ".visible .entry k() { .local .b8 x[99999][99999]; ret; }",
                ".visible .entry k(.param .align 8 .b8 x[999999999999]) { ret; }",
                ".visible .entry k() .maxntid 2147483648 { ret; }",
                ".visible .entry k() { .reg .b32 %r; ld.shared.u32 %r, [%r+99999999999]; ret; }",
                ".visible .entry k() { .reg .b32 %r; mov.u32 %r, 99999999999999999999999999; ret; }"
            })
    void sizesBeyondAllMemoryAreRefused(String definition) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThatThrownBy(() -> PtxParser.parse(HEAD + definition))
                        .isInstanceOf(PtxParseException.class));
    }

    @Test
    void manyRegistersCostNoMemory() {
        StringBuilder text = new StringBuilder(HEAD + ".visible .entry k() {\n");
        for (int i = 0; i < 2_000; i++) {
            text.append(".reg .b32 %a").append(i).append("_<1000000>;\n");
        }
        text.append("mov.u32 %a7_999999, 1;\nret;\n}\n");
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(PtxParser.parse(text.toString()).entries()).hasSize(1));
    }

    /** Of several runs the median, because a machine may be busy; only the last count, because the first are slow. */
    @Test
    @Tag("alone")
    void largeTextIsReadInUnderASecond() {
        for (String text : List.of(largeKernel(), manyKernels(), problemsOnly())) {
            assertThat(text.length()).isGreaterThanOrEqualTo(200_000);
            long[] nanoseconds = new long[9];
            for (int i = 0; i < nanoseconds.length; i++) {
                long start = System.nanoTime();
                try {
                    assertThat(PtxParser.parse(text).entries()).isNotEmpty();
                } catch (PtxParseException e) {
                    assertThat(e.problems()).isNotEmpty();
                }
                nanoseconds[i] = System.nanoTime() - start;
            }
            long[] warm = Arrays.copyOfRange(nanoseconds, 4, nanoseconds.length);
            Arrays.sort(warm);
            assertThat(Duration.ofNanos(warm[warm.length / 2])).isLessThan(Duration.ofSeconds(1));
        }
    }

    private static String largeKernel() {
        Path file = Texts.files("proven").getFirst();
        List<String> lines = new ArrayList<>(Texts.read(file).lines().toList());
        int end = lines.lastIndexOf("}");
        StringBuilder text = new StringBuilder(String.join("\n", lines.subList(0, end)));
        for (int i = 0; text.length() < 200_000; i++) {
            text.append("\nL")
                    .append(i)
                    .append(": mad.lo.u32 rm, rn, ")
                    .append(i)
                    .append(", rn; @!p bra L")
                    .append(i)
                    .append(';');
        }
        return text.append("\n}\n").toString();
    }

    /** Blocks with names of their own, each of which must be made unique. */
    private static String manyKernels() {
        String body = """
                .visible .entry kernel%d(.param .u64 data) {
                .reg .b32 %%r<99>; .reg .b64 %%rd<9>;
                ld.param.u64 %%rd1, [data];
                { .reg .pred P1; LAB_WAIT: setp.eq.u32 P1, %%r1, %%r2; @P1 bra DONE; bra LAB_WAIT; DONE: }
                { .reg .pred P1; .reg .b32 %%r<3>; LAB_WAIT: mov.u32 %%r1, 1; @P1 bra LAB_WAIT; }
                st.global.v4.b32 [%%rd1+16], {%%r10, %%r20, %%r30, %%r40};
                ret;
                }
                """;
        StringBuilder text = new StringBuilder(HEAD);
        for (int i = 0; text.length() < 200_000; i++) {
            text.append(body.formatted(i));
        }
        return text.toString();
    }

    private static String problemsOnly() {
        return HEAD + ".visible .entry k() {\n" + "nothing.like.this %r1, [%r2], {1, 2};\n".repeat(6_000) + "}\n";
    }

    /** No text of this size may take long; a hang would take for ever. */
    private static void check(String text) {
        long start = System.nanoTime();
        checkResult(text);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    private static void checkResult(String text) {
        PtxModule module;
        try {
            module = PtxParser.parse(text);
        } catch (PtxParseException e) {
            assertThat(e.problems()).isNotEmpty().allSatisfy(problem -> {
                assertThat(problem.at().line()).isPositive();
                assertThat(problem.at().column()).isPositive();
                assertThat(problem.reason()).isNotBlank();
            });
            return;
        }
        // A text that is read can be written, and that is read to the same.
        assertThat(PtxParser.parse(PtxWriter.write(module))).isEqualTo(module);
    }

    /** Deletes, doubles, swaps or cuts off. */
    private static void rearrange(List<String> tokens, SplittableRandom random) {
        if (tokens.size() < 2) {
            return;
        }
        int at = random.nextInt(tokens.size());
        switch (random.nextInt(5)) {
            case 0 -> tokens.remove(at);
            case 1 -> tokens.add(at, tokens.get(at));
            case 2 -> Collections.swap(tokens, at, random.nextInt(tokens.size()));
            case 3 -> tokens.add(at, tokens.get(random.nextInt(tokens.size())));
            default -> {
                if (random.nextInt(4) == 0) {
                    tokens.subList(at, tokens.size()).clear();
                }
            }
        }
    }

    private static void mutate(StringBuilder text, SplittableRandom random) {
        int at = random.nextInt(text.length());
        int length = Math.min(text.length() - at, random.nextInt(1, 20));
        String piece = PIECES.get(random.nextInt(PIECES.size()));
        switch (random.nextInt(6)) {
            case 0 -> text.delete(at, at + length);
            case 1 -> text.insert(at, piece);
            case 2 -> text.replace(at, at + length, piece);
            case 3 -> text.insert(at, text.substring(at, at + length));
            case 4 -> text.setCharAt(at, (char) random.nextInt(32, 127));
            default -> {
                int from = random.nextInt(text.length());
                text.insert(at, text.substring(from, Math.min(text.length(), from + length)));
            }
        }
        if (text.isEmpty()) {
            text.append(piece);
        }
    }
}
