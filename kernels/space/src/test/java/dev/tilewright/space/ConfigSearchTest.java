package dev.tilewright.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A submission of many problems is checked without a tree for each. */
class ConfigSearchTest {

    private static final long SEED = 41;
    private static final int PROBLEMS = 40;

    private record On(FamilySpace family, DeviceLimits limits) {
        static final List<On> ALL = List.of(
                new On(new Sm90GemmSpace(), DeviceLimits.of(132)), new On(new Sm100GemmSpace(), DeviceLimits.of(148)));
    }

    private static Stream<Problem> drawn() {
        SplittableRandom random = new SplittableRandom(SEED);
        return Stream.generate(() -> new ProblemShape(
                        8 * random.nextInt(1, 1500), 8 * random.nextInt(1, 1500), 8 * random.nextInt(1, 1500)))
                .map(shape -> Problem.of(shape, DataType.BF16))
                .limit(PROBLEMS);
    }

    /** Each scheduler, of the usual space and of the full one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConfigOfARestrictedSpaceIsFoundWithoutItsTree(boolean full) {
        drawn().forEach(problem -> On.ALL.stream()
                .filter(on -> on.family().refusal(problem).isEmpty())
                .forEach(on -> {
                    SearchSpace whole = on.family().space(problem, on.limits());
                    whole.parameters().stream()
                            .filter(parameter -> parameter.name().equals(Scheduler.KEY.name()))
                            .flatMap(parameter -> parameter.values().stream())
                            .forEach(scheduler -> {
                                Map<String, List<ParameterValue>> wanted =
                                        Map.of(Scheduler.KEY.name(), List.of(scheduler));
                                SearchSpace space = full ? whole.restrict(wanted) : whole.usual(wanted);
                                assertThat(new ConfigSearch(space).look())
                                        .as(
                                                "%s of %s, %s, seed %d",
                                                scheduler, on.family().family(), problem, SEED)
                                        .isNotEqualTo(ConfigSearch.Found.GAVE_UP);
                            });
                }));
    }

    /** Between the two parameters of a rule lie ten with four values: a dead end leads back over all of them. */
    @Test
    void aDeadEndLeadsBackToTheParameterThatHasAPartInIt() {
        AtomicInteger asked = new AtomicInteger();
        List<Parameter> parameters = IntStream.range(0, 12)
                .mapToObj(index -> Parameter.text("p" + (10 + index), 0, 1, 2, 3))
                .toList();
        Constraint last = new Constraint("last", List.of("p10", "p21"), config -> {
            asked.incrementAndGet();
            return config.whole("p10") == 3 ? Optional.empty() : Optional.of("the first must be 3");
        });
        assertThat(new SearchSpace("toy", parameters, List.of(last)).isEmpty()).isFalse();
        assertThat(asked).hasValue(3 * 4 + 1);
    }

    /** Nothing is decided before the last of eight parameters: the tree has the answer. */
    @Test
    void aSearchThatGivesUpLeavesTheAnswerToTheTree() {
        List<Parameter> parameters = IntStream.range(0, 8)
                .mapToObj(index -> Parameter.text("p" + index, 0, 1, 2, 3))
                .toList();
        List<String> all = parameters.stream().map(Parameter::name).toList();
        SearchSpace sum = new SearchSpace(
                "toy",
                parameters,
                List.of(new Constraint(
                        "sum",
                        all,
                        config -> all.stream().mapToInt(config::whole).sum() == 25
                                ? Optional.empty()
                                : Optional.of("the sum must be 25"))));
        assertThat(new ConfigSearch(sum).look()).isEqualTo(ConfigSearch.Found.GAVE_UP);
        assertThat(sum.isEmpty()).isTrue();
    }
}
