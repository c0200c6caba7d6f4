package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.ParsedModule;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the writer writes, the parser reads back to an equal module. */
class RoundTripTest {
    static Stream<Arguments> modules() {
        return Stream.of(
                Arguments.of("oldest", Corpus.oldest()),
                Arguments.of("newer", Corpus.newer()),
                Arguments.of("vectorAdd", Kernels.vectorAdd()),
                Arguments.of("pipeline", Kernels.pipeline(5, 38912)),
                Arguments.of("cluster", Kernels.cluster()),
                Arguments.of("blackwell", BlackwellCorpus.of(CtaGroup.ONE)),
                Arguments.of("pair", BlackwellCorpus.of(CtaGroup.TWO)),
                Arguments.of("roles", roles()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void moduleComesBack(String name, PtxModule module) {
        assertComesBack(module);
    }

    static List<Integer> program(Draw draw) {
        return WriterPropertyTest.program(draw);
    }

    @Draws
    void anyProgramComesBack(@From("program") List<Integer> program) {
        assertComesBack(WriterPropertyTest.run(program));
    }

    @Test
    void everyStatementKnowsItsLine() {
        PtxModule module = Kernels.pipeline(5, 38912);
        String text = PtxWriter.write(module);
        List<String> lines = text.lines().toList();
        ParsedModule parsed = PtxParser.parseLocated(text);
        Entry entry = module.entry("pipeline");
        for (int i = 0; i < entry.body().size(); i++) {
            String line = lines.get(parsed.position("pipeline", i).line() - 1);
            if (entry.body().get(i) instanceof Statement.LabelTarget target) {
                assertThat(line).isEqualTo(target.label().name() + ":");
            } else {
                assertThat(line).startsWith("    ");
                assertThat(parsed.position("pipeline", i).column()).isEqualTo(5);
            }
        }
        assertThat(parsed.positions().get("pipeline")).hasSameSizeAs(entry.body());
    }

    /** Roles in a row, one in another, and ones without a statement. */
    private static PtxModule roles() {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("roles", e -> {
                    e.launchBounds(256, 1);
                    e.shared("first of two", 100, 4);
                    e.barriers("full", 3);
                    e.code(b -> {
                        b.role("outer", 0, 4, o -> {
                            o.role("inner", 0, 1, i -> i.role("empty", 0, 1, x -> {}));
                            o.role("other", 1, 1, i -> i.comment("@ role no: warps 0..1"));
                        });
                        b.role("nothing", 4, 2, o -> {});
                        b.role("last", 6, 2, CodeBuilder::syncWarp);
                        b.comment("");
                        b.comment("  indented // twice");
                        b.ret();
                    });
                }));
    }

    private static void assertComesBack(PtxModule module) {
        String text = PtxWriter.write(module);
        PtxModule parsed = PtxParser.parse(text);
        assertThat(PtxWriter.write(parsed)).isEqualTo(text);
        assertThat(parsed).isEqualTo(module);
    }
}
