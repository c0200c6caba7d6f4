package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Whatever the text, the parser gives a module or its own diagnostics, and soon. */
class FuzzTest {
    private static final List<String> TEXTS = Stream.of("proven", "nvcc", "hand")
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

    @Property(tries = 1500)
    void mutatedTextGivesModuleOrProblems(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder(TEXTS.get(random.nextInt(TEXTS.size())));
        for (int i = random.nextInt(1, 12); i > 0; i--) {
            mutate(text, random);
        }
        check(text.toString());
    }

    @Property(tries = 500)
    void anyStringGivesProblems(@ForAll String text) {
        check(text);
        check(".version 8.0\n.target sm_90a\n.visible .entry k() {" + text + "}");
    }

    @Property(tries = 300)
    void randomPiecesGiveModuleOrProblems(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_90a\n.visible .entry k() {\n");
        for (int i = random.nextInt(200); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size()))).append(random.nextBoolean() ? " " : "");
        }
        check(text.toString());
    }

    @Test
    void deepNestingIsRefused() {
        for (String piece : List.of("{", "(", "[", "-", "~(", "{ a: ", "/*", "@")) {
            String text = ".version 8.0\n.target sm_90a\n.visible .entry k() {\n.reg .b32 %a;\n";
            List<String> texts = List.of(
                    text + piece.repeat(50_000),
                    text + "mov.u32 %a, " + piece.repeat(50_000),
                    text + (piece + ";").repeat(50_000) + "}");
            for (String deep : texts) {
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20),
                        () -> assertThatThrownBy(() -> PtxParser.parse(deep)).isInstanceOf(PtxParseException.class));
            }
        }
    }

    @Test
    void largeTextIsReadInUnderASecond() {
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
        text.append("\n}\n");
        PtxParser.parse(text.toString());
        assertTimeoutPreemptively(
                Duration.ofSeconds(1),
                () -> assertThat(PtxParser.parse(text.toString()).entries()).hasSize(1));
    }

    private static void check(String text) {
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
