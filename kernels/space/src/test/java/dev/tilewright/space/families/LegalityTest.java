package dev.tilewright.space.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.sm100.Sm100Config;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import dev.tilewright.space.sm90.Configs;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import dev.tilewright.space.sm90.Sm90Operands;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A typed config refuses what its space says cannot be built, in the same words, and nothing else. */
class LegalityTest {

    private static final int COMBINATIONS = 20_000;

    private static Problem problem(OperandTypes types, OperandMajors major, String... shapes) {
        return new Problem(Stream.of(shapes).map(ProblemShape::parse).toList(), 1, types, major, Scenario.QUIET);
    }

    static Stream<Problem> hopperProblems() {
        OperandTypes bf16 = OperandTypes.of(DataType.BF16);
        return Stream.of(
                problem(bf16, OperandMajors.DEFAULT, "1024x1816x4096"),
                problem(bf16, new OperandMajors(Major.M, Major.N, Major.N), "1024x1816x4096"),
                problem(
                        new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.F32),
                        OperandMajors.DEFAULT,
                        "1024x1816x4096"),
                problem(bf16, OperandMajors.DEFAULT, "512x768x256", "1024x640x2048"));
    }

    static Stream<Problem> blackwellProblems() {
        return Stream.of(
                problem(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, "1024x1816x4096"),
                problem(
                        new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.F32),
                        OperandMajors.DEFAULT,
                        "1024x1816x4096"));
    }

    @ParameterizedTest
    @MethodSource("hopperProblems")
    void hopper(Problem problem) {
        Set<String> legality = ids(Sm90Config.rules(names(new Sm90GemmSpace(), problem), Sm90Operands.of(problem)));
        assertThat(broken(new Sm90GemmSpace(), problem, legality, Sm90Config::of))
                .contains("modeConsumers", "consumerRows", "consumerColumns");
    }

    @ParameterizedTest
    @MethodSource("blackwellProblems")
    void blackwell(Problem problem) {
        assertThat(broken(new Sm100GemmSpace(), problem, ids(Sm100Config.rules()), Sm100Config::of))
                .contains("groupRows", "groupCluster", "prefetchSlots");
    }

    private static Set<String> names(FamilySpace family, Problem problem) {
        return Set.copyOf(family.space(problem, DeviceLimits.of(132)).names(Parameter.Kind.values()));
    }

    private static <V> Set<String> ids(Stream<TypedRule<V>> rules) {
        return rules.map(TypedRule::id).collect(Collectors.toSet());
    }

    /** Asks both about combinations of listed values; gives the rules that broke. */
    private static Set<String> broken(
            FamilySpace family, Problem problem, Set<String> legality, Consumer<Config> constructor) {
        SearchSpace space = family.space(problem, DeviceLimits.of(132));
        SplittableRandom random = new SplittableRandom(20);
        Set<String> broken = new HashSet<>();
        for (int i = 0; i < COMBINATIONS; i++) {
            Config config = space.point(random.nextLong(space.points()));
            Optional<Violation> first = space.constraints().stream()
                    .filter(rule -> legality.contains(rule.id()))
                    .flatMap(rule -> rule.violation(config).stream())
                    .findFirst();
            first.ifPresent(violation -> broken.add(violation.constraint()));
            assertThat(refusal(constructor, config)).isEqualTo(first.map(Violation::reason));
        }
        return broken;
    }

    private static Optional<String> refusal(Consumer<Config> constructor, Config config) {
        try {
            constructor.accept(config);
            return Optional.empty();
        } catch (IllegalArgumentException refused) {
            return Optional.of(refused.getMessage());
        }
    }

    @Test
    void whatASpaceHasCanBeBuilt() {
        SplittableRandom random = new SplittableRandom(21);
        for (Problem problem : hopperProblems().toList()) {
            SpaceTree tree = SpaceTree.of(new Sm90GemmSpace().space(problem, DeviceLimits.of(132)));
            for (int draw = 0; draw < 200; draw++) {
                Sm90Config.of(tree.draw(random));
            }
        }
    }

    @Test
    void stagesOutnumberTheGroupsInFlight() {
        assertThat(refusal(Sm90Config::of, Configs.with("loadStages=1 waitDepth=0")))
                .isEmpty();
        assertThatThrownBy(() -> Sm90Config.of(Configs.with("loadStages=1")))
                .hasMessage("loadStages must be at least 2 with waitDepth = 1, got 1");
        assertThat(refusal(Sm90Config::of, Configs.with("loadStages=0 waitDepth=0")))
                .contains("loadStages must be at least 1 with waitDepth = 0, got 0");
    }
}
