package dev.tilewright.space.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.BalancedDraws;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.sm90.OnH200;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Vocabulary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each family says of itself. */
class FamilyKnowledgeTest {

    private static final int SAMPLE = 400;

    /** Of most of these a space has one value, which the problem gives; the others stand out by their names. */
    private static final Set<String> WITHOUT_A_WORD =
            Set.of("inputType", "majorA", "majorB", "outputType", "tileLocation", "typeA", "typeB", "typeD");

    static List<FamilySpace> families() {
        return Families.standard().all();
    }

    /** Those whose kernels we build. */
    static Stream<FamilySpace> builtFamilies() {
        return families().stream().filter(family -> !family.isInstalled());
    }

    private static List<Problem> problems() {
        Problem single = OnH200.problem("4104x1032x776");
        Problem several = new Problem(
                List.of(new ProblemShape(520, 1032, 264), new ProblemShape(264, 1032, 4104)),
                2,
                single.types(),
                single.major(),
                single.scenario());
        Problem few = OnH200.problem("264x1032x4104");
        return List.of(single, few, several, few.beside(Scenario.QUIET.overlapping()));
    }

    private static Stream<Config> configs(FamilySpace family) {
        return problems().stream().flatMap(problem -> {
            SpaceTree space = SpaceTree.of(family.space(problem, OnH200.H200));
            return BalancedDraws.of(space, Set.of(), 0, SAMPLE, problem.batch()).stream();
        });
    }

    @ParameterizedTest
    @MethodSource("families")
    void hasAWordForEachParameterThatIsTried(FamilySpace family) {
        Vocabulary words = family.vocabulary();
        Set<String> named = new HashSet<>(
                family.isInstalled() ? List.of() : words.scheduler().parameters());
        words.words().forEach(word -> named.addAll(word.parameters()));
        Set<String> tried = new HashSet<>();
        problems()
                .forEach(problem -> family.space(problem, OnH200.H200)
                        .parameters()
                        .forEach(parameter -> tried.add(parameter.name())));

        assertThat(words.isPlain()).isFalse();
        assertThat(named).isSubsetOf(tried);
        tried.removeAll(named);
        assertThat(tried).isSubsetOf(WITHOUT_A_WORD);
    }

    /** A reader finds a mark in the legend by its text alone. */
    @ParameterizedTest
    @MethodSource("families")
    void aMarkHasOneMeaningAndAConfigSaysItOnce(FamilySpace family) {
        Map<String, String> meanings = new HashMap<>();
        configs(family).forEach(config -> {
            List<Mark> marks = family.vocabulary().marks(config, config.values().keySet());
            assertThat(marks).extracting(Mark::text).as(config.canonical()).doesNotHaveDuplicates();
            for (Mark mark : marks) {
                assertThat(meanings.putIfAbsent(mark.text(), mark.meaning()))
                        .as(mark.text())
                        .isIn(null, mark.meaning());
            }
        });
        assertThat(meanings).hasSizeGreaterThan(50);
    }

    /** Different configs of a table look different in it. */
    @ParameterizedTest
    @MethodSource("families")
    void configsThatDifferReadDifferently(FamilySpace family) {
        Map<List<Mark>, Config> read = new HashMap<>();
        configs(family).distinct().forEach(config -> {
            List<Mark> marks = family.vocabulary().marks(config, config.values().keySet());
            Config other = read.put(marks, config);
            assertThat(other).as("%s and %s", config, other).isNull();
        });
    }

    @ParameterizedTest
    @MethodSource("builtFamilies")
    void aClusterComputesItsTiles(FamilySpace family) {
        configs(family).forEach(config -> {
            Blocking blocking = family.blocking(config);
            int group = config.whole("ctaGroup", 1);

            assertThat(blocking.rows() * group).isEqualTo(config.whole("tileM") * config.whole("clusterM"));
            assertThat(blocking.columns()).isEqualTo(config.whole("tileN") * config.whole("clusterN"));
            int parts = config.whole("clusterK", 1);
            assertThat(blocking.depth()).isEqualTo(config.whole("tileK"));
            assertThat(blocking.clusterSize()).isEqualTo(config.whole("clusterM") * config.whole("clusterN") * parts);
            assertThat(blocking.pieces()).isEqualTo(config.whole("splitK", 1));
            assertThat(blocking.parts()).isEqualTo(parts);
        });
    }

    @Test
    void aBlockingNamesWhatIsWrong() {
        assertThatThrownBy(() -> new Blocking(128, 0, 64, 1, 1)).hasMessage("columns must be at least 1, got 0");
    }

    @ParameterizedTest
    @MethodSource("builtFamilies")
    void aFullGridIsAllThatChanges(FamilySpace family) {
        configs(family).forEach(config -> {
            Config full = family.fillingTheGpu(config);
            assertThat(full.whole("gridSize")).isZero();
            assertThat(full.with("gridSize", config.value("gridSize"))).isEqualTo(config);
        });
        assertThat(family.fillingTheGpu(Config.parse("tileM=64"))).isEqualTo(Config.parse("tileM=64"));
    }

    @Test
    void theUsualFamilyIsTheFirst() {
        assertThat(Families.standard().usual().family())
                .isEqualTo(Families.standard().names().getFirst());
        assertThatThrownBy(() -> new Families(List.of())).hasMessage("there must be at least one kernel family");
    }

    @Test
    void ofAnUnknownFamilyTheSchedulersAreKnown() {
        Vocabulary words = Families.standard().vocabulary("bundle:theirs");

        assertThat(words.isPlain()).isTrue();
        assertThat(Families.standard().vocabulary(null).isPlain()).isTrue();
        for (Scheduler scheduler : Scheduler.values()) {
            assertThat(words.marks(Config.parse("scheduler=" + scheduler), Set.of()))
                    .containsExactly(Mark.named(scheduler.toString(), scheduler.meaning()));
        }
        assertThat(words.marks(Config.parse("scheduler=theirs"), Set.of()))
                .extracting(Mark::text)
                .containsExactly("scheduler=theirs");
    }
}
