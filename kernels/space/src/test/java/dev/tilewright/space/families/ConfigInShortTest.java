package dev.tilewright.space.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.BalancedDraws;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.sm90.OnH200;
import dev.tilewright.space.text.Vocabulary;
import dev.tilewright.space.text.Word;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Configs in short, printed and read, of every family. */
class ConfigInShortTest {

    private static final int SAMPLE = 120;

    static List<FamilySpace> families() {
        return Families.standard().all();
    }

    /** Problems for which the families have different parameters and different values of them. */
    private static List<Problem> problems() {
        List<ProblemShape> one = List.of(new ProblemShape(264, 1032, 4104));
        Problem plain = OnH200.problem("4104x1032x776");
        Problem wide = new Problem(
                one,
                2,
                new OperandTypes(DataType.BF16, DataType.BF16, DataType.F32),
                OperandMajors.DEFAULT,
                Scenario.QUIET.overlapping());
        Problem eight = Problem.of(new ProblemShape(256, 1024, 4096), DataType.E4M3);
        return List.of(
                plain,
                OnH200.problem("24x1032x4104"),
                wide,
                wide.beside(new Scenario(8)),
                eight,
                eight.with(Scales.BLOCK),
                eight.with(Scales.ROW),
                plain.of(List.of(new ProblemShape(520, 1032, 264), new ProblemShape(264, 1032, 4104)), 2));
    }

    /** What is printed is read as the same config: for values of all kinds, whether or not they keep the rules. */
    @ParameterizedTest
    @MethodSource("families")
    void aConfigInShortIsReadAsTheSame(FamilySpace family) {
        Random random = new Random(1);
        int read = 0;
        for (Problem problem : problems()) {
            if (family.refusal(problem).isPresent()) {
                continue;
            }
            SearchSpace space = family.space(problem, OnH200.H200);
            for (int i = 0; i < SAMPLE; i++) {
                Config config = space.point(random.nextLong(space.points()));
                String text = family.inShort(config);
                Config back = family.read(space, text);
                // An order without bands has no use for their size: a rule leaves it one value.
                assertThat(text.contains("along") ? back.with("rasterGroup", config.value("rasterGroup")) : back)
                        .as(text)
                        .isEqualTo(config);
                read++;
            }
        }
        assertThat(read).isGreaterThan(2 * SAMPLE);
    }

    /** The words say all that a search tries, and nothing else. */
    @ParameterizedTest
    @MethodSource("families")
    void aConfigThatIsTriedNeedsNoNames(FamilySpace family) {
        SearchSpace space = family.space(problems().getFirst(), OnH200.H200);
        for (Config config : tried(family)) {
            assertThat(family.inShort(config)).doesNotContain("=");
            assertThat(family.read(space, family.inShort(config))).isEqualTo(config);
        }
    }

    private static List<Config> tried(FamilySpace family) {
        Problem problem = problems().getFirst();
        SearchSpace space = family.space(problem, OnH200.H200).usual(Map.of());
        return BalancedDraws.of(SpaceTree.of(space), Set.of(), 1, SAMPLE, problem.batch());
    }

    /** No two parts of a family claim one word. */
    @ParameterizedTest
    @MethodSource("families")
    void aMarkIsReadByOnePart(FamilySpace family) {
        Vocabulary words = family.vocabulary();
        Set<String> marks = new HashSet<>();
        tried(family).forEach(config -> words.marks(config, Set.of()).forEach(mark -> marks.add(mark.text())));

        assertThat(marks).hasSizeGreaterThan(40);
        for (String mark : marks) {
            assertThat(Stream.concat(Stream.of(words.scheduler()), words.words().stream())
                            .filter(word -> reads(word, mark)))
                    .as(mark)
                    .hasSize(1);
        }
    }

    private static boolean reads(Word word, String mark) {
        try {
            return new Vocabulary(word, List.of()).read(mark).size() > 0;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /** Words may come in any order, with pairs among them; missing parts are the defaults of the family. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sm90-gemm  | static 128x128x64 s6 groupedN4 coop2 r232 | clusterK=1 clusterM=1 clusterN=1 clusterOrder=launch consumers=2 ctasPerSm=1 epilogueN=64 epilogueStages=2 gridSize=0 l2Hint=none l2Promotion=128 loadStages=6 loadStart=free mode=cooperative multicast=none rasterGroup=4 rasterOrder=groupedN registers=232 scheduler=static splitK=1 swapAB=0 swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=128 waitDepth=1
            sm100-gemm | pair  clc alongN 256x256x64 gridSize=16 c2x1 s4 a2 | accumulatorStages=2 clcPrefetch=1 clcStages=1 clcThrottle=none clusterM=2 clusterN=1 ctaGroup=2 epilogueN=32 gridSize=16 inputType=bf16 loadStages=4 multicast=none outputType=bf16 rasterGroup=1 rasterOrder=alongN scheduler=clc tileK=64 tileM=256 tileN=256
            cublaslt   | a66 t20 cl2 st35 | algorithmId=66 clusterShapeId=2 ctaSwizzling=0 customOption=0 innerShapeId=0 reductionScheme=0 splitKNum=1 stagesId=35 tileId=20
            """)
    void missingPartsAreDefaults(String family, String text, String config) {
        FamilySpace space = Families.standard().named(family);

        assertThat(space.read(space.space(OnH200.problem("264x1032x776"), OnH200.H200), text))
                .isEqualTo(Config.parse(config));
    }

    /** A value that no word says is written with its name, and read again. */
    @Test
    void aValueWithoutAWordIsWrittenWithItsName() {
        FamilySpace family = Families.standard().named("sm90-gemm");
        Config config = Config.parse("scheduler=mine rasterOrder=spiral rasterGroup=8 swapAB=2 multicast=none later=3");

        assertThat(family.inShort(config))
                .isEqualTo("scheduler=mine rasterOrder=spiral rasterGroup=8 later=3 swapAB=2");
        assertThat(family.vocabulary().read(family.inShort(config)).with("multicast=none"))
                .isEqualTo(config);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            static 128x128 s6       | '128x128' is no part of a config. A part is NAME=VALUE or, with a whole number for each #, one of: single|static|atomic|clc #x#x# c#x# s# groupedM#
            static s6 s7            | parameter 'loadStages' is given twice: by 's6' and 's7'
            static scheduler=atomic | parameter 'scheduler' is given twice: by 'static' and 'scheduler=atomic'
            groupedN4 rasterGroup=8 | parameter 'rasterGroup' is given twice: by 'groupedN4' and 'rasterGroup=8'
            s06                     | 's06' is no part of a config
            s1234567890             | 's1234567890' is no part of a config
            """)
    void aWordThatIsNoneIsNamedWithTheRule(String text, String message) {
        Vocabulary words = Families.standard().usual().vocabulary();

        assertThatThrownBy(() -> words.read(text)).hasMessageStartingWith(message);
    }

    @Test
    void aPartWithoutADefaultStaysMissing() {
        FamilySpace family = Families.standard().named("sm90-gemm");
        SearchSpace space = family.space(problems().getFirst(), OnH200.H200);
        Config config = family.read(space, "static 128x128x64 s6");

        assertThat(family.read(space, " ").has("clusterM")).isTrue();
        assertThatThrownBy(() -> space.only(config))
                .hasMessageStartingWith("a config of sm90-gemm has a value for each of its ")
                .hasMessageEndingWith("; missing: mode, consumers, rasterOrder, rasterGroup");
        assertThat(space.only(family.read(space, "static 128x128x64 s6 alongM coop2"))
                        .points())
                .isEqualTo(1);
    }

    @Test
    void theNameOfAnotherFamilyStandsBeforeAConfig() {
        Families families = Families.standard();
        ConfigText other = ConfigText.of(families, " sm100-gemm  clc 128x64x64 ");

        assertThat(other.words()).isEqualTo("clc 128x64x64");
        assertThat(other.family(null)).isEqualTo("sm100-gemm");
        assertThat(other.family("sm100-gemm")).isEqualTo("sm100-gemm");
        assertThat(ConfigText.of(families, "clc 128x64x64").family("sm90-gemm")).isEqualTo("sm90-gemm");
        assertThat(ConfigText.of(families, "clc 128x64x64").family(null)).isNull();
        assertThatThrownBy(() -> other.family("sm90-gemm"))
                .hasMessage("the config is one of sm100-gemm, but the family sm90-gemm is named");
    }

    @Test
    void optionsTakeAConfigAgain() {
        Families families = Families.standard();

        assertThat(ConfigText.options(families, "cublaslt", Config.parse("algorithmId=66 tileId=20 stagesId=0")))
                .isEqualTo("--config 'cublaslt a66 t20'");
        assertThat(ConfigText.options(families, "bundle:theirs", Config.parse("BLOCK=64 scheduler=static name=it's")))
                .isEqualTo("--family bundle:theirs --config 'static BLOCK=64 name=it'\\''s'");
        assertThat(ConfigText.options(families, null, Config.parse("BLOCK=64"))).isEqualTo("--config 'BLOCK=64'");
    }
}
